"""Calls 20 operations as tools that FastMCP makes of the OpenAPI document: agent_tools.py FILE.

With `--operations`, prints the ids of these operations instead, joined with `|`.
"""

import asyncio
import json
import os
import sys

COUNT = 20


def chosen(document):
    """The first GET operations of different domains whose required parameters all have examples, with arguments."""
    found = []
    for path, item in document["paths"].items():
        operation = item.get("get")
        if operation is None or "x-identifiers" in operation:
            continue
        arguments = {}
        for parameter in operation.get("parameters", []):
            if parameter.get("required"):
                schema = parameter.get("schema", {})
                example = parameter.get("example", schema.get("example"))
                arguments[parameter["name"]] = example if example is not None else (schema.get("enum") or [None])[0]
        if None not in arguments.values():
            found.append((operation["tags"][0], operation["operationId"], arguments))
    domains = {}
    for tag, name, arguments in found:
        domains.setdefault(tag, []).append((name, arguments))
    rounds = [operations[index] for index in range(COUNT) for operations in domains.values() if index < len(operations)]
    return rounds[:COUNT]


async def call_all(document):
    import httpx2
    from fastmcp import Client, FastMCP

    headers = {"Authorization": f"Bearer {os.environ['KEY']}"}
    async with httpx2.AsyncClient(base_url=os.environ["URL"], headers=headers) as http:
        server = FastMCP.from_openapi(openapi_spec=document, client=http, name="crypto-intel")
        async with Client(server) as client:
            tools = {tool.name: tool for tool in await client.list_tools()}
            # FastMCP writes `_` for characters that are not allowed in names of tools.
            by_id = {name.replace("-", "_"): name for name in tools}
            done = 0
            for name, arguments in chosen(document):
                tool = by_id[name.replace("-", "_")[:56]]
                result = await client.call_tool(tool, arguments)
                assert not result.is_error, (name, result)
                done += 1
            assert done == COUNT, done
            print(f"FastMCP: {len(tools)} tools, {done} calls")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        document = json.load(file)
    if sys.argv[2:] == ["--operations"]:
        print("|".join(name for name, _ in chosen(document)))
    else:
        asyncio.run(call_all(document))


main()
