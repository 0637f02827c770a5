"""Tests public Python clients with the sandbox. The first argument is its base URL, the second one
a key. Prints a line for each client, endpoint and feature; ends with 1 if one of them fails."""

import asyncio
import importlib.metadata
import json
import os
import sys
import traceback

url, key = sys.argv[1:]
chat_url, gateway_url = f"{url}/v1", f"{url}/gateway/v1"
os.environ.update(OPENAI_API_KEY=key, LITELLM_LOCAL_MODEL_COST_MAP="True")

CHAT, RESPONSES = "svc-1.5-instant", "svc-2.0-instant"
QUESTION = "What is the price of ETH?"
HOLDING = "How much ETH do I hold?"
failed = []


def check(client, endpoint, feature, run):
    name = f"{client} {importlib.metadata.version(client)}"
    try:
        run()
        print(f"{name} | {endpoint} | {feature} | yes", flush=True)
    except Exception:
        failed.append(f"{name} | {endpoint} | {feature}")
        print(f"{name} | {endpoint} | {feature} | NO", flush=True)
        traceback.print_exc()


def raises(kinds, run):
    try:
        run()
    except kinds:
        return
    raise AssertionError("a wrong key was taken")


SCHEMA = {
    "type": "object",
    "properties": {"symbol": {"type": "string"}, "price": {"type": "number"}},
    "required": ["symbol", "price"],
    "additionalProperties": False,
}
PARAMETERS = {
    "type": "object",
    "properties": {"symbol": {"type": "string", "description": "Ticker"}},
    "required": ["symbol"],
}
DESCRIPTION = "How much I hold of an asset"


def openai_python():
    import openai
    from pydantic import BaseModel

    class Price(BaseModel):
        symbol: str
        price: float

    chat = openai.OpenAI(base_url=chat_url, api_key=key, max_retries=0)
    gateway = openai.OpenAI(base_url=gateway_url, api_key=key, max_retries=0)
    wrong = openai.OpenAI(base_url=chat_url, api_key="sk-wrong", max_retries=0)
    wrong_gateway = openai.OpenAI(base_url=gateway_url, api_key="sk-wrong", max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]

    def chat_json():
        answer = chat.chat.completions.create(model=CHAT, messages=messages, temperature=0.1)
        assert "Ethereum" in answer.choices[0].message.content, answer
        assert answer.choices[0].finish_reason == "stop" and answer.usage.total_tokens > 0, answer
        return answer.choices[0].message.content

    def chat_stream():
        text, finish, usage = "", None, None
        options = {"include_usage": True}
        for chunk in chat.chat.completions.create(
            model=CHAT, messages=messages, stream=True, stream_options=options
        ):
            usage = chunk.usage or usage
            for choice in chunk.choices:
                text += choice.delta.content or ""
                finish = choice.finish_reason or finish
        assert text == chat_json() and finish == "stop" and usage.total_tokens > 0, (text, usage)
        with chat.chat.completions.stream(model=CHAT, messages=messages) as stream:
            stream.until_done()
            assert stream.get_final_completion().choices[0].message.content == text

    def chat_tools():
        tool = {"type": "function", "function": {
            "name": "my_holding", "description": DESCRIPTION, "parameters": PARAMETERS}}
        history = [{"role": "developer", "content": "Be brief."},
                   {"role": "user", "content": [{"type": "text", "text": HOLDING}]}]
        asked = chat.chat.completions.create(model=CHAT, messages=history, tools=[tool])
        message = asked.choices[0].message
        assert message.content is None and asked.choices[0].finish_reason == "tool_calls", asked
        call = message.tool_calls[0]
        assert json.loads(call.function.arguments) == {"symbol": "ETH"}, call
        # The message is sent back unchanged, with `content: null`.
        history += [message, {"role": "tool", "tool_call_id": call.id, "content": "42 pieces"}]
        said = chat.chat.completions.create(model=CHAT, messages=history, tools=[tool])
        assert "42 pieces" in said.choices[0].message.content, said

    def chat_structured():
        answer = chat.chat.completions.parse(
            model=CHAT, messages=messages, response_format=Price)
        price = answer.choices[0].message.parsed
        assert price.symbol == "ETH" and price.price > 100, price

    check("openai", "chat", "JSON", chat_json)
    check("openai", "chat", "stream", chat_stream)
    check("openai", "chat", "tool loop", chat_tools)
    check("openai", "chat", "structured", chat_structured)
    check("openai", "chat", "error", lambda: raises(
        openai.AuthenticationError,
        lambda: wrong.chat.completions.create(model=CHAT, messages=messages)))

    def json_answer():
        answer = gateway.responses.create(model=RESPONSES, input=QUESTION, store=False)
        assert answer.status == "completed" and "Ethereum" in answer.output_text, answer
        assert answer.usage.input_tokens_details.cached_tokens == 0, answer
        more = gateway.responses.create(
            model=RESPONSES, input="And its funding?", previous_response_id=answer.id)
        assert "Ethereum (ETH): funding" in more.output_text, more
        return answer.output_text

    def stream():
        text, kinds = "", []
        for event in gateway.responses.create(model=RESPONSES, input=QUESTION, stream=True):
            kinds.append(event.type)
            if event.type == "response.output_text.delta":
                text += event.delta
        assert text == event.response.output_text == json_answer(), text
        for kind in ["created", "output_item.added", "content_part.added", "output_text.done",
                     "content_part.done", "output_item.done", "completed"]:
            assert f"response.{kind}" in kinds, kinds
        with gateway.responses.stream(model=RESPONSES, input=QUESTION) as events:
            for _ in events:
                pass
            assert events.get_final_response().output_text == text

    def tools():
        tool = {"type": "function", "name": "my_holding", "description": DESCRIPTION,
                "parameters": PARAMETERS, "strict": False}
        with gateway.responses.stream(model=RESPONSES, input=HOLDING, tools=[tool]) as events:
            for _ in events:
                pass
            asked = events.get_final_response()
        call = asked.output[0]
        assert call.type == "function_call" and json.loads(call.arguments) == {"symbol": "ETH"}
        # The items are sent back unchanged.
        said = gateway.responses.create(model=RESPONSES, tools=[tool], input=[
            {"role": "user", "content": HOLDING}, *asked.output,
            {"type": "function_call_output", "call_id": call.call_id, "output": "42 pieces"}])
        assert "42 pieces" in said.output_text, said

    def structured():
        answer = gateway.responses.parse(model=RESPONSES, input=QUESTION, text_format=Price)
        price = answer.output_parsed
        assert price.symbol == "ETH" and price.price > 100, price

    def error():
        raises(openai.AuthenticationError,
               lambda: wrong_gateway.responses.create(model=RESPONSES, input=QUESTION))
        raises(openai.BadRequestError, lambda: gateway.responses.create(
            model=RESPONSES, input=QUESTION, extra_body={"reasoning_effort": "low"}))

    check("openai", "responses", "JSON", json_answer)
    check("openai", "responses", "stream", stream)
    check("openai", "responses", "tool loop", tools)
    check("openai", "responses", "structured", structured)
    check("openai", "responses", "error", error)


def langchain():
    import openai
    from langchain_core.messages import HumanMessage, ToolMessage
    from langchain_core.tools import tool
    from langchain_openai import ChatOpenAI
    from pydantic import BaseModel

    class Price(BaseModel):
        """The price of an asset."""

        symbol: str
        price: float

    @tool
    def my_holding(symbol: str) -> str:
        """How much I hold of an asset."""
        return f"42 pieces of {symbol}"

    for endpoint in ["chat", "responses"]:
        is_chat = endpoint == "chat"
        options = dict(
            model=CHAT if is_chat else RESPONSES, base_url=chat_url if is_chat else gateway_url,
            max_retries=0, use_responses_api=not is_chat, temperature=0)
        model = ChatOpenAI(api_key=key, **options)
        wrong = ChatOpenAI(api_key="sk-wrong", **options)

        def json_answer(model=model):
            answer = model.invoke(QUESTION)
            assert "Ethereum" in answer.text, answer
            assert answer.usage_metadata["total_tokens"] > 0, answer
            return answer.text

        def stream(model=model, json_answer=json_answer):
            text = "".join(chunk.text for chunk in model.stream(QUESTION))
            assert text == json_answer(), text

        def tools(model=model):
            bound = model.bind_tools([my_holding])
            messages = [HumanMessage(HOLDING)]
            asked = bound.invoke(messages)
            call = asked.tool_calls[0]
            assert call["args"] == {"symbol": "ETH"}, asked
            messages += [asked, ToolMessage(my_holding.invoke(call["args"]), tool_call_id=call["id"])]
            assert "42 pieces of ETH" in bound.invoke(messages).text
            streamed = None
            for chunk in bound.stream([HumanMessage(HOLDING)]):
                streamed = chunk if streamed is None else streamed + chunk
            assert streamed.tool_calls[0]["args"] == {"symbol": "ETH"}, streamed

        def structured(model=model):
            for method in ["json_schema", "function_calling"]:
                price = model.with_structured_output(Price, method=method).invoke(QUESTION)
                assert price.symbol == "ETH" and price.price > 100, (method, price)

        check("langchain-openai", endpoint, "JSON", json_answer)
        check("langchain-openai", endpoint, "stream", stream)
        check("langchain-openai", endpoint, "tool loop", tools)
        check("langchain-openai", endpoint, "structured", structured)
        check("langchain-openai", endpoint, "error", lambda wrong=wrong: raises(
            openai.AuthenticationError, lambda: wrong.invoke(QUESTION)))


def litellm_client():
    import litellm

    litellm.suppress_debug_info = True
    options = dict(model=f"openai/{CHAT}", api_base=chat_url, num_retries=0)
    messages = [{"role": "user", "content": QUESTION}]

    def json_answer():
        answer = litellm.completion(api_key=key, messages=messages, **options)
        assert "Ethereum" in answer.choices[0].message.content, answer
        return answer.choices[0].message.content

    def stream():
        chunks = litellm.completion(api_key=key, messages=messages, stream=True, **options)
        text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
        assert text == json_answer(), text

    def tools():
        tool = {"type": "function", "function": {
            "name": "my_holding", "description": DESCRIPTION, "parameters": PARAMETERS}}
        history = [{"role": "user", "content": HOLDING}]
        asked = litellm.completion(api_key=key, messages=history, tools=[tool], **options)
        message = asked.choices[0].message
        call = message.tool_calls[0]
        assert json.loads(call.function.arguments) == {"symbol": "ETH"}, call
        history += [message.model_dump(),
                    {"role": "tool", "tool_call_id": call.id, "content": "42 pieces"}]
        said = litellm.completion(api_key=key, messages=history, tools=[tool], **options)
        assert "42 pieces" in said.choices[0].message.content, said

    def structured():
        form = {"type": "json_schema", "json_schema": {"name": "p", "schema": SCHEMA, "strict": True}}
        answer = litellm.completion(
            api_key=key, messages=messages, response_format=form, **options)
        price = json.loads(answer.choices[0].message.content)
        assert price["symbol"] == "ETH" and price["price"] > 100, price

    check("litellm", "chat", "JSON", json_answer)
    check("litellm", "chat", "stream", stream)
    check("litellm", "chat", "tool loop", tools)
    check("litellm", "chat", "structured", structured)
    check("litellm", "chat", "error", lambda: raises(
        litellm.AuthenticationError,
        lambda: litellm.completion(api_key="sk-wrong", messages=messages, **options)))

    options = dict(model=f"openai/{RESPONSES}", api_base=gateway_url)

    def response():
        answer = litellm.responses(api_key=key, input=QUESTION, **options)
        assert "Ethereum" in answer.output[0].content[0].text, answer
        return answer.output[0].content[0].text

    def response_stream():
        text = ""
        for event in litellm.responses(api_key=key, input=QUESTION, stream=True, **options):
            if event.type == "response.output_text.delta":
                text += event.delta
        assert text == response(), text

    def response_tools():
        tool = {"type": "function", "name": "my_holding", "description": DESCRIPTION,
                "parameters": PARAMETERS}
        asked = litellm.responses(api_key=key, input=HOLDING, tools=[tool], **options)
        call = asked.output[0]
        said = litellm.responses(api_key=key, tools=[tool], input=[
            {"role": "user", "content": HOLDING}, call.model_dump(),
            {"type": "function_call_output", "call_id": call.call_id, "output": "42 pieces"},
        ], **options)
        assert "42 pieces" in said.output[0].content[0].text, said

    def response_structured():
        form = {"format": {"type": "json_schema", "name": "p", "schema": SCHEMA, "strict": True}}
        answer = litellm.responses(api_key=key, input=QUESTION, text=form, **options)
        price = json.loads(answer.output[0].content[0].text)
        assert price["symbol"] == "ETH" and price["price"] > 100, price

    check("litellm", "responses", "JSON", response)
    check("litellm", "responses", "stream", response_stream)
    check("litellm", "responses", "tool loop", response_tools)
    check("litellm", "responses", "structured", response_structured)
    check("litellm", "responses", "error", lambda: raises(
        litellm.AuthenticationError,
        lambda: litellm.responses(api_key="sk-wrong", input=QUESTION, **options)))


def pydantic():
    from pydantic import BaseModel
    from pydantic_ai import Agent, ModelHTTPError, NativeOutput
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    class Price(BaseModel):
        symbol: str
        price: float

    for endpoint in ["chat", "responses"]:
        def model(api_key=key, is_chat=endpoint == "chat"):
            import openai

            client = openai.AsyncOpenAI(
                base_url=chat_url if is_chat else gateway_url, api_key=api_key, max_retries=0)
            provider = OpenAIProvider(openai_client=client)
            return (OpenAIChatModel(CHAT, provider=provider) if is_chat
                    else OpenAIResponsesModel(RESPONSES, provider=provider))

        def json_answer(model=model):
            answer = Agent(model()).run_sync(QUESTION)
            assert "Ethereum" in answer.output, answer
            return answer.output

        def stream(model=model, json_answer=json_answer):
            async def read():
                async with Agent(model()).run_stream(QUESTION) as answer:
                    return "".join([text async for text in answer.stream_text(delta=True)])

            text = asyncio.run(read())
            assert text == json_answer(), text

        def tools(model=model):
            agent = Agent(model())
            seen = []

            @agent.tool_plain
            def my_holding(symbol: str) -> str:
                """How much I hold of an asset."""
                seen.append(symbol)
                return f"42 pieces of {symbol}"

            assert "42 pieces of ETH" in agent.run_sync(HOLDING).output
            assert seen == ["ETH"], seen

        def structured(model=model):
            for output in [Price, NativeOutput(Price)]:
                price = Agent(model(), output_type=output).run_sync(QUESTION).output
                assert price.symbol == "ETH" and price.price > 100, price

        check("pydantic-ai-slim", endpoint, "JSON", json_answer)
        check("pydantic-ai-slim", endpoint, "stream", stream)
        check("pydantic-ai-slim", endpoint, "tool loop", tools)
        check("pydantic-ai-slim", endpoint, "structured", structured)
        check("pydantic-ai-slim", endpoint, "error", lambda model=model: raises(
            ModelHTTPError, lambda: Agent(model("sk-wrong")).run_sync(QUESTION)))


def instructor_client():
    import instructor
    import openai
    from pydantic import BaseModel

    class Price(BaseModel):
        symbol: str
        price: float

    class Holding(BaseModel):
        """How much I hold of an asset."""

        symbol: str

    messages = [{"role": "user", "content": QUESTION}]

    def client(api_key=key, mode=instructor.Mode.TOOLS, base_url=chat_url):
        return instructor.from_openai(
            openai.OpenAI(base_url=base_url, api_key=api_key, max_retries=0), mode=mode)

    def priced(client, **options):
        price = client.chat.completions.create(
            model=CHAT, messages=messages, response_model=Price, max_retries=1, **options)
        assert price.symbol == "ETH" and price.price > 100, price

    def stream():
        parts = client().chat.completions.create_partial(
            model=CHAT, messages=messages, response_model=Price)
        last = list(parts)[-1]
        assert last.symbol == "ETH" and last.price > 100, last

    def tools():
        asked = client().chat.completions.create(
            model=CHAT, messages=[{"role": "user", "content": HOLDING}], response_model=Holding)
        assert asked.symbol == "ETH", asked

    def structured():
        priced(client())
        priced(client(mode=instructor.Mode.JSON_SCHEMA))

    def error():
        try:
            priced(client("sk-wrong"))
        except Exception as error:
            assert "401" in str(error) or "not valid" in str(error), error
            return
        raise AssertionError("a wrong key was taken")

    check("instructor", "chat", "JSON", lambda: priced(client(mode=instructor.Mode.JSON)))
    check("instructor", "chat", "stream", stream)
    check("instructor", "chat", "tool loop", tools)
    check("instructor", "chat", "structured", structured)
    check("instructor", "chat", "error", error)


for client in [openai_python, langchain, litellm_client, pydantic, instructor_client]:
    client()
sys.exit(1 if failed else 0)
