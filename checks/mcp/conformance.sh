#!/bin/sh
# The official conformance runner against MCP over HTTP, by what revision 2026-07-28 of the protocol requires.
#
#     npm i @modelcontextprotocol/conformance@0.2.0-alpha.12
#     memoriter serve --data DIR                                   # a store for trying
#     checks/mcp/conformance.sh http://127.0.0.1:7077/mcp
#
# Run it in the folder that has node_modules (Node 22 or newer). It ends with 0 when nothing fails but the checks that
# conformance-2026-07-28.yml names, each with its reason, and all of those do: most call tools, resources and prompts of a
# server that was made for the runner, which this one has not.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec node node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$1" --requirements 2026-07-28 \
    --expected-failures "$here/conformance-2026-07-28.yml"
