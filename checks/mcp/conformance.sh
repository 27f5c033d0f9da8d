#!/bin/sh
# The official conformance runner against MCP over HTTP.
#
#     npm i @modelcontextprotocol/conformance
#     checks/mcp/conformance.sh http://127.0.0.1:7077/mcp
#
# Run it in the folder that has node_modules (Node 22 or newer). It ends with 0 when nothing fails but what
# conformance-expected.yml names: most scenarios call tools of a server that was made for them, which this one has not.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec node node_modules/@modelcontextprotocol/conformance/dist/index.js server --url "$1" \
    --expected-failures "$here/conformance-expected.yml"
