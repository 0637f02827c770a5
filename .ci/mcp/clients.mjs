// What the official TypeScript client makes of the MCP server: arguments are `stdio COMMAND ...` or
// `http URL TOKEN`. Prints a line a feature; ends with 1 if one of them fails. The server's cap is 70
// credits.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [kind, ...rest] = process.argv.slice(2);
const lock = JSON.parse(readFileSync(new URL("./package-lock.json", import.meta.url)));
const { version } = lock.packages["node_modules/@modelcontextprotocol/sdk"];
const name = `@modelcontextprotocol/sdk ${version}`;
let failed = false;

async function check(feature, run) {
  try {
    await run();
    console.log(`${name} | ${kind} | ${feature} | yes`);
  } catch (error) {
    failed = true;
    console.log(`${name} | ${kind} | ${feature} | NO`);
    console.error(error);
  }
}

const transport =
  kind === "stdio"
    ? new StdioClientTransport({ command: rest[0], args: rest.slice(1) })
    : new StreamableHTTPClientTransport(new URL(rest[0]), {
        requestInit: { headers: { Authorization: `Bearer ${rest[1]}` } },
      });
const client = new Client({ name: "check", version: "0" });
await client.connect(transport);
const call = (tool, args, options) => client.callTool({ name: tool, arguments: args }, undefined, options);
const value = async (tool, args) => {
  const result = await call(tool, args);
  assert.ok(!result.isError, JSON.stringify(result));
  return result.structuredContent;
};

await check("list", async () => {
  const { tools } = await client.listTools();
  assert.equal(tools.length, 8);
  assert.ok(tools.every((tool) => tool.annotations && tool.outputSchema));
});
await check("describe", async () => {
  const found = await value("search_operations", { query: "token price history" });
  assert.equal(found.operations[0].operation, "market-price");
  const described = await value("describe_operation", { operation: "market-price" });
  assert.ok("symbol" in described.parameters);
});
await check("call", async () => {
  const answer = await value("call_operation", { operation: "market-price", arguments: { symbol: "BTC" }, max_tokens: 300 });
  assert.ok(answer.service_data.rows.length > 0);
  const more = await value("read_result", { handle: answer.handle, jq: "length" });
  assert.equal(more.service_data, answer.rows);
});
await check("page", async () => {
  const first = await value("call_operation", { operation: "social-user-posts", arguments: { handle: "eth_daily", limit: 5 } });
  const more = await value("read_result", { handle: first.handle, next_page: true });
  assert.equal(more.rows, 10);
});
await check("SQL", async () => {
  const answer = await value("sql", { query: "SELECT sum(number) AS s FROM numbers(11)", jq: ".[0].s" });
  assert.equal(Number(answer.service_data), 55);
});
await check("ask", async () => {
  const answer = await value("ask", { question: "What is the price of ETH?" });
  assert.ok(answer.service_data.text.length > 20);
});
await check("an error", async () => {
  const result = await call("call_operation", { operation: "market-prise" });
  assert.ok(result.isError && result.structuredContent.next_step);
});
await check("resources", async () => {
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 3);
  const read = await client.readResource({ uri: "cintel://operations/market-price" });
  assert.ok(JSON.parse(read.contents[0].text).parameters);
});
await check("progress", async () => {
  const seen = [];
  const args = { operation: "social-user-posts", arguments: { handle: "eth_daily", limit: 5 }, pages: 2, jq: "length" };
  await call("call_operation", args, { onprogress: (progress) => seen.push(progress.progress) });
  assert.deepEqual(seen, [1, 2]);
});
await check("cancel", async () => {
  const query = "SELECT count() AS n FROM numbers(400000000) WHERE number % 7 = 3";
  const giveUp = new AbortController();
  setTimeout(() => giveUp.abort(), 300);
  await assert.rejects(call("sql", { query }, { signal: giveUp.signal }));
  assert.ok((await value("search_operations", { query: "price" })).operations.length > 0);
});
await check("the credit cap", async () => {
  // Repeats of a data operation are free, those of a question are not.
  for (let n = 0; n < 6; n += 1) {
    const result = await call("ask", { question: "What is the price of ETH?" });
    if (result.isError) {
      assert.match(result.structuredContent.error, /cap/);
      return;
    }
  }
  assert.fail("the cap never held");
});

await client.close();
process.exit(failed ? 1 : 0);
