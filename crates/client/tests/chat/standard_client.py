"""What a standard client makes of the service: the base address is the first argument, the key the
second. Every line printed is checked by the test that runs this."""

import sys

import openai

url, key = sys.argv[1:]
chat = openai.OpenAI(base_url=f"{url}/v1", api_key=key, max_retries=0)
gateway = openai.OpenAI(base_url=f"{url}/gateway/v1", api_key=key, max_retries=0)
messages = [{"role": "user", "content": "What is ETH?"}]

completion = chat.chat.completions.create(model="svc-1.5-instant", messages=messages)
choice = completion.choices[0]
assert completion.object == "chat.completion", completion
assert choice.finish_reason == "stop" and "Ethereum" in choice.message.content, completion
assert choice.message.annotations[0].url_citation.url.startswith("/gateway/v1/"), completion
assert completion.usage.total_tokens > 0, completion
print("chat json")

text, finish = "", None
for chunk in chat.chat.completions.create(model="svc-1.5-instant", messages=messages, stream=True):
    for part in chunk.choices:
        text += part.delta.content or ""
        finish = part.finish_reason or finish
assert text == choice.message.content and finish == "stop", (text, finish)
print("chat stream")

tool = {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}}
asked = chat.chat.completions.create(model="svc-1.5-instant", messages=messages, tools=[tool])
call = asked.choices[0].message.tool_calls[0]
assert call.function.name == "f" and asked.choices[0].finish_reason == "tool_calls", asked
result = {"role": "tool", "tool_call_id": call.id, "content": "42"}
asked = asked.choices[0].message.model_dump(include={"role", "tool_calls"})
asked = {**asked, "content": ""}
said = chat.chat.completions.create(
    model="svc-1.5-instant", messages=[*messages, asked, result], tools=[tool]
)
assert "42" in said.choices[0].message.content, said
print("chat tools")

response = gateway.responses.create(model="svc-2.0-instant", input="What is ETH?")
assert response.status == "completed" and "Ethereum" in response.output_text, response
assert response.output[0].content[0].type == "output_text", response
assert response.usage.total_tokens > 0, response
cited = response.output[0].content[0].annotations[0]
assert cited.type == "url_citation" and cited.url.startswith("/gateway/v1/"), response
more = gateway.responses.create(
    model="svc-2.0-instant", input="And its funding?", previous_response_id=response.id
)
assert "Ethereum (ETH): funding" in more.output_text, more
asked = gateway.responses.create(
    model="svc-2.0", input="What is ETH?", tools=[{"type": "function", "name": "f"}]
)
assert asked.output[0].type == "function_call" and asked.output[0].name == "f", asked
print("responses json")

text, last = "", None
for event in gateway.responses.create(model="svc-2.0-instant", input="What is ETH?", stream=True):
    if event.type == "response.output_text.delta":
        text += event.delta
    last = event
assert last.type == "response.completed", last
assert text == response.output_text == last.response.output_text, (text, last)
print("responses stream")

try:
    wrong = openai.OpenAI(base_url=f"{url}/v1", api_key="sk-wrong", max_retries=0)
    wrong.chat.completions.create(model="svc-1.5-instant", messages=messages)
    raise SystemExit("a wrong key was taken")
except openai.AuthenticationError as error:
    assert error.status_code == 401, error
try:
    gateway.responses.create(
        model="svc-2.0", input="q", extra_body={"reasoning_effort": "low"}
    )
    raise SystemExit("the flat effort was taken")
except openai.BadRequestError as error:
    assert "reasoning" in str(error), error
print("errors")
