"""Every tool, resource and prompt through the official Python SDK, over one transport and in one way to open it.

    pip install mcp
    python checks/mcp/python_sdk.py stdio  PATH-OF-MEMORITER     # a new store in a temporary folder
    python checks/mcp/python_sdk.py http   http://127.0.0.1:7077/mcp

The SDK checks each structured answer against the schema of its tool. Ends with 1 at the first surprise.
"""

import asyncio
import json
import sys
import tempfile

from mcp import Client, StdioServerParameters

TOOLS = ["save_memory", "search_memory", "get_memory", "update_memory", "forget_memory", "get_context"]


def told(result):
    """The structured answer, which the text must repeat."""
    assert not result.is_error, result.content[0].text
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def check(server, mode):
    async with Client(server, mode=mode) as client:
        # With a pinned revision the SDK asks for no description of the server.
        assert not client.server_info or client.server_info.name == "memoriter", client.server_info
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == TOOLS, tools
        assert all(tool.output_schema and tool.annotations.open_world_hint is False for tool in tools)

        saved = told(await client.call_tool("save_memory", {
            "text": "The user plays the cello", "key": "user.instrument", "value": f"cello {mode}"}))
        memory = saved["decisions"][0]["id"]
        assert memory, saved
        found = told(await client.call_tool("search_memory", {"query": "Which instrument does the user play?", "k": 3}))
        assert any("cello" in result["statement"] for result in found["results"]), found
        got = told(await client.call_tool("get_memory", {"id": memory}))
        assert got["memory"]["origin"] == "agent", got
        corrected = told(await client.call_tool("update_memory", {
            "id": memory, "statement": f"The user plays the viola {mode}", "value": f"viola {mode}"}))
        assert corrected["decision"] == "UPDATE", corrected
        desk = told(await client.call_tool("get_context", {"session": "s", "message": "What do I play?", "budget": 2000}))
        assert "viola" in desk["text"], desk
        gone = told(await client.call_tool("forget_memory", {"id": [corrected["id"]]}))
        assert gone["retired"] == [corrected["id"]], gone

        refused = await client.call_tool("search_memory", {"query": "cello", "user_id": "emma"})
        assert refused.is_error and "comes from the connection" in refused.content[0].text, refused
        try:
            await client.call_tool("erase_everything", {})
        except Exception as error:
            assert "no tool" in str(error), error
        else:
            raise AssertionError("an unknown tool is an error of the protocol")

        resources = (await client.list_resources()).resources
        assert [str(resource.uri) for resource in resources] == ["memory://profile"], resources
        templates = (await client.list_resource_templates()).resource_templates
        assert [template.uri_template for template in templates] == ["memory://session/{id}"], templates
        profile = await client.read_resource("memory://profile")
        assert "memories" in json.loads(profile.contents[0].text)
        prompts = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in prompts] == ["use-memory"], prompts
        prompt = await client.get_prompt("use-memory")
        assert "search_memory" in prompt.messages[0].content.text
        return client.protocol_version


async def main():
    kind, place = sys.argv[1:3]
    for mode in ["auto", "legacy", "2026-07-28"]:
        with tempfile.TemporaryDirectory() as data:
            stdio = StdioServerParameters(command=place, args=["mcp", "--data", data])
            version = await check(stdio if kind == "stdio" else place, mode)
        print(f"{kind} {mode}: all as expected, revision {version}")


asyncio.run(main())
