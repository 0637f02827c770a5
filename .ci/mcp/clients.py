"""Tests the official Python client with the MCP server. The arguments are `stdio COMMAND ...` or
`http URL TOKEN`. Prints a line per feature; ends with 1 if one of them fails. The server's cap is 70
credits."""

import asyncio
import importlib.metadata
import json
import sys
import traceback
from contextlib import AsyncExitStack

import httpx2
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

transport, *rest = sys.argv[1:]
failed = []


async def check(feature, run):
    name = f"mcp {importlib.metadata.version('mcp')} (Python)"
    try:
        await run()
        print(f"{name} | {transport} | {feature} | yes", flush=True)
    except Exception:
        failed.append(feature)
        print(f"{name} | {transport} | {feature} | NO", flush=True)
        traceback.print_exc()


def value(result):
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def connect(stack):
    if transport == "stdio":
        streams = await stack.enter_async_context(
            stdio_client(StdioServerParameters(command=rest[0], args=rest[1:]))
        )
    else:
        url, token = rest
        headers = {"Authorization": f"Bearer {token}"}
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=60))
        streams = await stack.enter_async_context(streamable_http_client(url, http_client=http))
    session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
    await session.initialize()
    return session


async def main():
    async with AsyncExitStack() as stack:
        session = await connect(stack)
        call = session.call_tool

        async def list_tools():
            tools = (await session.list_tools()).tools
            assert len(tools) == 8, tools
            assert all(tool.annotations for tool in tools)

        async def describe():
            found = value(await call("search_operations", {"query": "token price history"}))
            assert found["operations"][0]["operation"] == "market-price", found
            described = value(await call("describe_operation", {"operation": "market-price"}))
            assert "symbol" in described["parameters"] and described["price"] == 2

        async def a_call():
            answer = value(await call("call_operation", {"operation": "market-price", "arguments": {"symbol": "BTC"}, "max_tokens": 300}))
            assert answer["service_data"]["rows"] and answer["credits"]["charged"] is not None, answer
            more = value(await call("read_result", {"handle": answer["handle"], "jq": "length"}))
            assert more["service_data"] == answer["rows"]

        async def page():
            first = value(await call("call_operation", {"operation": "social-user-posts", "arguments": {"handle": "eth_daily", "limit": 5}}))
            more = value(await call("read_result", {"handle": first["handle"], "next_page": True}))
            assert more["rows"] == 10, more

        async def sql():
            answer = value(await call("sql", {"query": "SELECT sum(number) AS s FROM numbers(11)", "jq": ".[0].s"}))
            assert int(answer["service_data"]) == 55, answer

        async def ask():
            answer = value(await call("ask", {"question": "What is the price of ETH?"}))
            assert len(answer["service_data"]["text"]) > 20, answer

        async def an_error():
            result = await call("call_operation", {"operation": "market-prise"})
            assert result.is_error and value(result)["next_step"], result

        async def resources():
            templates = await session.list_resource_templates()
            assert len(templates.resource_templates) == 3, templates
            assert (await session.list_resources()).resources

        async def progress():
            seen = []

            async def told(done, total, message):
                seen.append((done, total))

            arguments = {"operation": "social-user-posts", "arguments": {"handle": "eth_daily", "limit": 5}, "pages": 2, "jq": "length"}
            await call("call_operation", arguments, progress_callback=told)
            assert seen == [(1, 2), (2, 2)], seen

        async def cancel():
            # The client cancels a query that takes minutes, and the server continues.
            task = asyncio.create_task(call("sql", {"query": "SELECT count() AS n FROM numbers(400000000) WHERE number % 7 = 3"}))
            await asyncio.sleep(0.3)
            assert not task.done(), task
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled(), task
            assert value(await call("search_operations", {"query": "price"}))["operations"]

        async def cap():
            # Repeats of a data operation are free, but repeated questions are not.
            for _ in range(6):
                result = await call("ask", {"question": "What is the price of ETH?"})
                if result.is_error:
                    assert "cap" in value(result)["error"], result
                    return
            raise AssertionError("the cap never held")

        await check("list", list_tools)
        await check("describe", describe)
        await check("call", a_call)
        await check("page", page)
        await check("SQL", sql)
        await check("ask", ask)
        await check("an error", an_error)
        await check("resources", resources)
        await check("progress", progress)
        await check("cancel", cancel)
        await check("the credit cap", cap)


asyncio.run(main())
sys.exit(1 if failed else 0)
