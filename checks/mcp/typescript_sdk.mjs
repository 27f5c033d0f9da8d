// Every tool, resource and prompt through the official TypeScript SDK.
//
//     npm i @modelcontextprotocol/sdk
//     node checks/mcp/typescript_sdk.mjs stdio PATH-OF-MEMORITER     # a new store in a temporary folder
//     node checks/mcp/typescript_sdk.mjs http  http://127.0.0.1:7077/mcp
//
// Run it in the folder that has node_modules. The SDK checks each structured answer against the schema of its tool.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(join(process.cwd(), 'package.json'));
const from = (path) => import(pathToFileURL(require.resolve(`@modelcontextprotocol/sdk/${path}`)));
const { Client } = await from('client/index.js');
const { StdioClientTransport } = await from('client/stdio.js');
const { StreamableHTTPClientTransport } = await from('client/streamableHttp.js');

const [kind, place] = process.argv.slice(2);
const data = mkdtempSync(join(tmpdir(), 'memoriter-check-'));
const transport = kind === 'stdio'
  ? new StdioClientTransport({ command: place, args: ['mcp', '--data', data] })
  : new StreamableHTTPClientTransport(new URL(place));
const client = new Client({ name: 'check', version: '1' });
await client.connect(transport);

/** The structured answer, which the text must repeat. */
async function call(name, args) {
  const result = await client.callTool({ name, arguments: args });
  assert(!result.isError, JSON.stringify(result));
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}

assert.equal(client.getServerVersion().name, 'memoriter');
const { tools } = await client.listTools();
assert.deepEqual(tools.map((tool) => tool.name),
  ['save_memory', 'search_memory', 'get_memory', 'update_memory', 'forget_memory', 'get_context']);

const saved = await call('save_memory', { text: 'The user plays the cello', key: 'user.hobby_instrument', value: 'cello' });
const found = await call('search_memory', { query: 'Which instrument does the user play?', k: 3 });
assert(found.results.some((result) => result.statement.includes('cello')), JSON.stringify(found));
const memory = (await call('get_memory', { id: saved.decisions[0].id })).memory;
assert.equal(memory.origin, 'agent');
const corrected = await call('update_memory', { id: memory.id, statement: 'The user plays the viola', value: 'viola' });
assert.equal(corrected.decision, 'UPDATE');
const desk = await call('get_context', { session: 's', message: 'What do I play?', budget: 2000 });
assert(desk.text.includes('viola'), desk.text);
assert.deepEqual((await call('forget_memory', { id: [corrected.id] })).retired, [corrected.id]);

const refused = await client.callTool({ name: 'search_memory', arguments: { query: 'cello', user_id: 'emma' } });
assert(refused.isError && refused.content[0].text.includes('comes from the connection'));
await assert.rejects(client.callTool({ name: 'erase_everything', arguments: {} }), /no tool/);

const { resources } = await client.listResources();
assert.deepEqual(resources.map((resource) => resource.uri), ['memory://profile']);
const profile = await client.readResource({ uri: 'memory://profile' });
assert('memories' in JSON.parse(profile.contents[0].text));
await assert.rejects(client.readResource({ uri: 'memory://nothing' }), /no resource/);
const prompt = await client.getPrompt({ name: 'use-memory' });
assert(prompt.messages[0].content.text.includes('search_memory'));

await client.close();
rmSync(data, { recursive: true, force: true });
console.log(`${kind}: all as expected`);
