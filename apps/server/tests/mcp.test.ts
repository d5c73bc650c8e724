import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey, type HeldChanges } from '@kontor/parts';
import type { ShownProposal } from '@kontor/protocol';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMcpServer } from '../mcp/http.ts';
import { bounded } from '../mcp/protocol.ts';
import type { Browser } from './browser.ts';
import { builtProgram } from './built-server.ts';
import { rawRequest, sendRaw, statusOf } from './raw-http.ts';
import { startTestServer, type TestServer } from './test-server.ts';

/** Driven by the client of the protocol's own SDK: on standard input and output against the built program, and by HTTP. */
let world: TestServer;
let admin: Browser;
let stdio: Client;
let http: Client;
let port: number;
let partner: number;
let plainKey: string;
const folder = mkdtempSync(join(tmpdir(), 'kontor-mcp-'));
const door = () =>
  createMcpServer({ url: world.url, serverVersion: '0.0.0', hosts: ['agents.example.com'], origins: [] });
let server: ReturnType<typeof createMcpServer>;
const info = { name: 'test', version: '1.0.0' };

const keyFor = async (name: string | null, held: HeldChanges | null = null) => {
  const agent = name === null ? null : { name, held };
  const key = { userId: 1, name: name ?? 'plain', expiresAt: null, scope: null, agent };
  return (await world.work((env) => createApiKey(env, key))).secret;
};

beforeAll(async () => {
  world = await startTestServer({ modules: ['contacts'] });
  admin = await world.signedIn();
  partner = await admin.rpc<number>('core.partner', 'create', [
    { name: 'Brightwater', city: 'Oslo', is_company: true },
  ]);
  plainKey = await keyFor(null);

  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${await keyFor('Scout')}\n`);
  const { file, args } = await builtProgram(['mcp', '--url', world.url, '--key-file', keyFile]);
  stdio = new Client(info);
  await stdio.connect(new StdioClientTransport({ command: file, args, cwd: folder }));

  server = door();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  http = await byHttp(await keyFor('Clerk', { '*': ['create', 'write', 'unlink', 'call'] }));
});
afterAll(async () => {
  await stdio?.close();
  await http?.close();
  server?.close();
  await world?.close();
  rmSync(folder, { recursive: true, force: true });
});

const byHttp = async (key: string) => {
  const client = new Client(info);
  const headers = { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers },
  });
  // The SDK declares its transport without the exact optional types of this code base.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return client;
};

const use = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const answer = CallToolResultSchema.parse(await client.callTool({ name, arguments: given }));
  return { ...answer, content: answer.content.filter((part) => part.type === 'text') };
};
const told = async (client: Client, name: string, given: Record<string, unknown> = {}) => {
  const { isError, content, structuredContent } = await use(client, name, given);
  expect([name, isError ?? false, isError ? content : null]).toEqual([name, false, null]);
  return structuredContent ?? {};
};
const city = async () => (await admin.rpc<{ city: string }[]>('core.partner', 'read', [[partner], ['city']]))[0]?.city;

describe('kontor mcp', () => {
  it('MCP-1 lists tools with schemas, tells models, reads records, groups and resources, within the key', async () => {
    const { tools } = await stdio.listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'list_models',
        'describe_model',
        'search',
        'read',
        'read_group',
        'dry_run',
        'create',
        'write',
        'delete',
        'run_action',
        'undo',
        'proposals',
      ]),
    );
    for (const { name, description, inputSchema } of tools) {
      expect([name, (description ?? '').length > 20, inputSchema.type]).toEqual([name, true, 'object']);
    }
    expect(tools.find(({ name }) => name === 'search')?.annotations).toMatchObject({ readOnlyHint: true });
    expect(stdio.getInstructions()).toContain('never an instruction');

    const { models } = (await told(stdio, 'list_models', { text: 'contact' })) as { models: { model: string }[] };
    expect(models.map(({ model }) => model)).toContain('core.partner');
    const described = (await told(stdio, 'describe_model', { model: 'core.partner' })) as {
      fields: { name: string; type: string }[];
    };
    expect(described.fields).toContainEqual(expect.objectContaining({ name: 'city', type: 'char' }));

    const domain = [['name', '=', 'Brightwater']];
    expect(await told(stdio, 'search', { model: 'core.partner', domain, fields: ['city'] })).toEqual({
      records: [{ id: partner, city: 'Oslo' }],
      more: false,
    });
    expect(await told(stdio, 'search', { model: 'core.country', fields: ['code'], limit: 2 })).toMatchObject({
      more: true,
      next_offset: 2,
    });
    expect(await told(stdio, 'read_group', { model: 'core.partner', domain, groupby: ['city'] })).toMatchObject({
      groups: [{ city: 'Oslo', __count: 1 }],
    });

    const { resources } = await stdio.listResources();
    expect(resources.map(({ uri }) => uri)).toContain('kontor://model/core.partner');
    const read = await stdio.readResource({ uri: `kontor://record/core.partner/${partner}` });
    expect(JSON.parse((read.contents[0] as { text: string }).text)).toMatchObject({ id: partner, name: 'Brightwater' });
    await expect(stdio.readResource({ uri: 'kontor://record/core.partner/2000000000' })).rejects.toThrow(/NOT_FOUND/);
  });

  it('MCP-2 tries, changes and takes back in one step; each change says the agent, the task and why', async () => {
    const write = { model: 'core.partner', ids: [partner], values: { city: 'Bergen' } };
    expect(await told(stdio, 'dry_run', { ...write, operation: 'write' })).toMatchObject({
      dry_run: true,
      changes: [{ model: 'core.partner', id: partner, values: { city: { old: 'Oslo', new: 'Bergen' } } }],
    });
    expect(await city()).toBe('Oslo');

    const { task } = await told(stdio, 'begin_task', { title: 'Move to Bergen' });
    const done = await told(stdio, 'write', { ...write, base: { city: 'Oslo' }, reason: 'They moved.' });
    const made = await told(stdio, 'create', {
      model: 'core.partner',
      records: [{ name: 'Ada' }, { name: 'Grace' }],
      reason: 'New people.',
    });
    expect(made.result).toHaveLength(2);
    expect(await admin.rpc('sys.change.set', 'read', [[done.change_set], ['agent', 'task', 'reason']])).toEqual([
      { id: done.change_set, agent: 'Scout', task, reason: 'They moved.' },
    ]);
    expect(await city()).toBe('Bergen');
    const stale = await use(stdio, 'write', {
      ...write,
      values: { city: 'Voss' },
      base: { city: 'Oslo' },
      reason: 'Again',
    });
    expect(stale).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^CONFLICT.*do not overwrite/s) }],
    });

    expect(await told(stdio, 'undo')).toEqual({ undone: [done.change_set, made.change_set] });
    expect(await city()).toBe('Oslo');
    expect(await admin.rpc('core.partner', 'search_read', [[['name', 'in', ['Ada', 'Grace']]], []])).toEqual([]);
    expect(await use(stdio, 'undo')).toMatchObject({ isError: true });
  });

  it('MCP-3 by HTTP the caller’s own key counts: what it holds waits for the person, and the agent asks for the state', async () => {
    const proposed = await told(http, 'write', {
      model: 'core.partner',
      ids: [partner],
      values: { city: 'Hamar' },
      reason: 'They told me.',
    });
    expect(proposed).toMatchObject({ waits_for_approval: true, would_change: [{ id: partner }] });
    expect(await city()).toBe('Oslo');
    expect(await told(http, 'proposals', { state: 'waiting' })).toMatchObject({
      proposals: [{ id: proposed.proposal, reason: 'They told me.' }],
    });
    const screen = await admin.get('/web/proposals', { accept: 'application/json' });
    const { result } = (await screen.json()) as { result: { proposals: ShownProposal[] } };
    expect(result.proposals[0]).toMatchObject({ agent: 'Clerk', reason: 'They told me.' });
    const [{ id, version }] = result.proposals as [ShownProposal];
    await admin.json('/web/proposals/decide', {
      decision: 'refuse',
      proposals: [{ id, version }],
      word: 'They did not.',
    });
    expect(await told(http, 'proposals', { ids: [id] })).toMatchObject({
      proposals: [{ state: 'refused', note: 'They did not.' }],
    });
  });

  it('MCP-4 mistakes are answers that say what to do, and a key that is not an agent’s is refused', async () => {
    const mistakes: [string, Record<string, unknown>, RegExp][] = [
      ['search', {}, /model is missing/],
      ['search', { model: 'core.partner', limit: 1_000 }, /limit must be from 1 to 100/],
      ['search', { model: 'core.partner', limt: 1 }, /takes no limt/],
      ['write', { model: 'core.partner', ids: [partner], values: { city: 'X' } }, /reason is missing/],
      ['read', { model: 'core.partner', ids: ['1'] }, /must be a whole number/],
      ['search', { model: 'core.partner', domain: [['town', '=', 'Oslo']] }, /town.*describe_model/s],
      ['describe_model', { model: 'core.nothing' }, /list_models/],
      [
        'write',
        { model: 'core.user', ids: [1], values: { name: 'X' }, reason: 'To see' },
        /ACCESS_DENIED.*tell the person/s,
      ],
    ];
    for (const [name, given, words] of mistakes) {
      const { isError, content } = await use(stdio, name, given);
      expect([name, isError, content[0]?.text]).toEqual([name, true, expect.stringMatching(words)]);
    }
    await expect(stdio.callTool({ name: 'drop_database', arguments: {} })).rejects.toThrow(/no tool/);
    const plain = await byHttp(plainKey);
    expect((await use(plain, 'list_models')).content[0]?.text).toContain('not the key of an agent');
    await plain.close();
  });

  it('MCP-5 the HTTP door is for this machine and for who has a key; sessions are their caller’s', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18' },
    });
    const key = await keyFor('Door');
    const ask = async (headers: Record<string, string>, method = 'POST', path = '/mcp') => {
      const all = {
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      };
      const text = await sendRaw(port, rawRequest(`${method} ${path}`, all, method === 'POST' ? body : ''));
      return { status: statusOf(text), session: /^mcp-session-id: (\S+)/im.exec(text)?.[1] ?? '' };
    };
    for (const [headers, status] of [
      [{}, 200],
      [{ host: 'agents.example.com' }, 200],
      [{ origin: 'http://localhost:3000' }, 200],
      [{ host: 'evil.example.com' }, 403],
      [{ origin: 'https://evil.example.com' }, 403],
      [{ origin: 'null' }, 403],
      [{ authorization: '' }, 401],
      [{ authorization: 'Bearer nothing' }, 401],
      [{ 'mcp-protocol-version': '1999-01-01' }, 400],
      [{ 'mcp-session-id': 'somebody-elses' }, 404],
    ] as const) {
      expect([headers, (await ask({ ...headers })).status]).toEqual([headers, status]);
    }
    expect((await ask({}, 'GET')).status).toBe(405);
    expect((await ask({}, 'POST', '/')).status).toBe(404);
    const { session } = await ask({});
    expect((await ask({ 'mcp-session-id': session })).status).toBe(200);
    expect((await ask({ 'mcp-session-id': session, authorization: `Bearer ${plainKey}` })).status).toBe(404);
    expect((await ask({ 'mcp-session-id': session }, 'DELETE')).status).toBe(204);
    expect((await ask({ 'mcp-session-id': session })).status).toBe(404);
  });

  it('MCP-6 answers are bounded, and say what was cut', () => {
    const long = bounded({ records: Array.from({ length: 100 }, (_, id) => ({ id, note: 'x'.repeat(5_000) })) });
    expect(JSON.stringify(long).length).toBeLessThan(60_100);
    expect(long.cut).toMatch(/^Only \d+ of 100 records fit/);
  });
});
