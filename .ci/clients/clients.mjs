// What public JavaScript clients make of the sandbox: its address is the first argument, a key the
// second. Prints a line for each client, endpoint and feature; ends with 1 if one of them fails.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createOpenAI } from '@ai-sdk/openai'
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { z } from 'zod'

const [url, key] = process.argv.slice(2)
const CHAT = 'svc-1.5-instant'
const RESPONSES = 'svc-2.0-instant'
const QUESTION = 'What is the price of ETH?'
const HOLDING = 'How much ETH do I hold?'
const PARAMETERS = {
  type: 'object',
  properties: { symbol: { type: 'string' } },
  required: ['symbol'],
  additionalProperties: false,
}
const SCHEMA = {
  type: 'object',
  properties: { symbol: { type: 'string' }, price: { type: 'number' } },
  required: ['symbol', 'price'],
  additionalProperties: false,
}
let failed = false

async function check(client, endpoint, feature, run) {
  const manifest = new URL(`node_modules/${client}/package.json`, import.meta.url)
  const name = `${client} ${JSON.parse(readFileSync(manifest)).version}`
  try {
    await run()
    console.log(`${name} | ${endpoint} | ${feature} | yes`)
  } catch (error) {
    failed = true
    console.log(`${name} | ${endpoint} | ${feature} | NO`)
    console.error(error)
  }
}

function isPrice(price) {
  assert.equal(price.symbol, 'ETH')
  assert.ok(price.price > 100, JSON.stringify(price))
}

async function openaiNode() {
  const at = (path, apiKey = key) =>
    new OpenAI({ baseURL: `${url}${path}`, apiKey, maxRetries: 0 })
  const [chat, gateway] = [at('/v1'), at('/gateway/v1')]
  const messages = [{ role: 'user', content: QUESTION }]

  const json = async () => {
    const answer = await chat.chat.completions.create({ model: CHAT, messages })
    assert.match(answer.choices[0].message.content, /Ethereum/)
    return answer.choices[0].message.content
  }
  await check('openai', 'chat', 'JSON', json)
  await check('openai', 'chat', 'stream', async () => {
    const stream = chat.chat.completions.stream({
      model: CHAT, messages, stream_options: { include_usage: true },
    })
    const answer = await stream.finalChatCompletion()
    assert.equal(answer.choices[0].message.content, await json())
    assert.ok(answer.usage.total_tokens > 0)
  })
  await check('openai', 'chat', 'tool loop', async () => {
    let asked = null
    const runner = chat.chat.completions.runTools({
      model: CHAT,
      messages: [{ role: 'user', content: HOLDING }],
      tools: [{ type: 'function', function: {
        name: 'my_holding', description: 'How much I hold of an asset', parameters: PARAMETERS,
        parse: JSON.parse,
        function: ({ symbol }) => { asked = symbol; return `42 pieces of ${symbol}` },
      } }],
    })
    assert.match(await runner.finalContent(), /42 pieces of ETH/)
    assert.equal(asked, 'ETH')
  })
  await check('openai', 'chat', 'structured', async () => {
    const answer = await chat.chat.completions.parse({
      model: CHAT, messages,
      response_format: { type: 'json_schema',
        json_schema: { name: 'price', strict: true, schema: SCHEMA } },
    })
    isPrice(answer.choices[0].message.parsed)
  })
  await check('openai', 'chat', 'error', () =>
    assert.rejects(at('/v1', 'sk-wrong').chat.completions.create({ model: CHAT, messages }),
      OpenAI.AuthenticationError))

  const response = async () => {
    const answer = await gateway.responses.create({ model: RESPONSES, input: QUESTION })
    assert.match(answer.output_text, /Ethereum/)
    return answer.output_text
  }
  await check('openai', 'responses', 'JSON', response)
  await check('openai', 'responses', 'stream', async () => {
    const answer = await gateway.responses
      .stream({ model: RESPONSES, input: QUESTION }).finalResponse()
    assert.equal(answer.output_text, await response())
  })
  await check('openai', 'responses', 'tool loop', async () => {
    const tools = [{ type: 'function', name: 'my_holding', strict: true, parameters: PARAMETERS,
      description: 'How much I hold of an asset' }]
    const asked = await gateway.responses
      .stream({ model: RESPONSES, input: HOLDING, tools }).finalResponse()
    const call = asked.output[0]
    assert.deepEqual(JSON.parse(call.arguments), { symbol: 'ETH' })
    const said = await gateway.responses.create({ model: RESPONSES, tools, input: [
      { role: 'user', content: HOLDING }, ...asked.output,
      { type: 'function_call_output', call_id: call.call_id, output: '42 pieces' },
    ] })
    assert.match(said.output_text, /42 pieces/)
  })
  await check('openai', 'responses', 'structured', async () => {
    const answer = await gateway.responses.parse({ model: RESPONSES, input: QUESTION,
      text: { format: { type: 'json_schema', name: 'price', strict: true, schema: SCHEMA } } })
    isPrice(answer.output_parsed)
  })
  await check('openai', 'responses', 'error', () =>
    assert.rejects(
      at('/gateway/v1', 'sk-wrong').responses.create({ model: RESPONSES, input: QUESTION }),
      OpenAI.AuthenticationError))
}

async function aiSdk() {
  const at = (path, apiKey = key) => createOpenAI({ baseURL: `${url}${path}`, apiKey })
  const endpoints = {
    chat: (apiKey) => at('/v1', apiKey).chat(CHAT),
    responses: (apiKey) => at('/gateway/v1', apiKey).responses(RESPONSES),
  }
  for (const [endpoint, model] of Object.entries(endpoints)) {
    const options = { model: model(), maxRetries: 0 }
    const json = async () => {
      const { text, usage } = await generateText({ ...options, prompt: QUESTION })
      assert.match(text, /Ethereum/)
      assert.ok(usage.totalTokens > 0)
      return text
    }
    await check('ai', endpoint, 'JSON', json)
    await check('ai', endpoint, 'stream', async () => {
      let text = ''
      const stream = streamText({ ...options, prompt: QUESTION })
      for await (const piece of stream.textStream) text += piece
      assert.equal(text, await json())
      assert.equal(await stream.finishReason, 'stop')
    })
    await check('ai', endpoint, 'tool loop', async () => {
      const seen = []
      const stream = streamText({
        ...options, prompt: HOLDING, stopWhen: stepCountIs(3),
        tools: { my_holding: tool({
          description: 'How much I hold of an asset',
          inputSchema: z.object({ symbol: z.string() }),
          execute: ({ symbol }) => { seen.push(symbol); return `42 pieces of ${symbol}` },
        }) },
      })
      assert.match(await stream.text, /42 pieces of ETH/)
      assert.deepEqual(seen, ['ETH'])
    })
    await check('ai', endpoint, 'structured', async () => {
      const { object } = await generateObject({ ...options, prompt: QUESTION,
        schema: z.object({ symbol: z.string(), price: z.number() }) })
      isPrice(object)
    })
    await check('ai', endpoint, 'error', () =>
      assert.rejects(generateText({ model: model('sk-wrong'), maxRetries: 0, prompt: QUESTION }),
        (error) => error.statusCode === 401))
  }
}

await openaiNode()
await aiSdk()
process.exit(failed ? 1 : 0)
