import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createApiKey } from '@kontor/parts';
import {
  AccessDeniedError,
  type Client,
  ConflictError,
  createClient,
  HeldError,
  InvalidArgsError,
  NetworkError,
  NotFoundError,
  RateLimitedError,
  type RpcError,
  UnauthorizedError,
  ValidationError,
} from '@kontor/rpc';
import { testAdmin } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { types } from '../commands/types.ts';
import { startTestServer, type TestServer } from './test-server.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-client-'));
const partners = 'core.partner';
let world: TestServer;
let key: string;
let kontor: Client;
beforeAll(async () => {
  world = await startTestServer();
  const made = await world.work((env) =>
    createApiKey(env, { userId: 1, name: 'client', expiresAt: null, scope: null }),
  );
  key = made.secret;
  kontor = createClient({ url: world.url, key });
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A client whose requests pass by `around`, with short pauses. */
const withFetch = (around: typeof fetch, retries = {}) =>
  createClient({ url: world.url, key, fetch: around, retries: { firstMs: 1, ...retries } });

describe('@kontor/rpc', () => {
  it('CLT-11 a call that waits for approval is an error with its proposal, and is in the OpenAPI document', async () => {
    const agent = { name: 'Scout', held: { '*': ['create'] as const }, approverId: null };
    const made = await world.work((env) =>
      createApiKey(env, { userId: 1, name: 'scout', expiresAt: null, scope: null, agent }),
    );
    const scout = createClient({ url: world.url, key: made.secret });
    const held = await scout
      .model(partners)
      .create({ name: 'Waits' })
      .catch((error) => error);
    expect(held).toBeInstanceOf(HeldError);
    expect(held).toMatchObject({ code: 'HELD', status: 202, changes: [{ model: partners, operation: 'create' }] });
    expect(await kontor.model('sys.proposal').read([held.proposal], ['state'])).toMatchObject([{ state: 'waiting' }]);
    expect(await kontor.model(partners).count([['name', '=', 'Waits']])).toBe(0);
    const page = await fetch(`${world.url}/web/openapi.json`, { headers: { 'x-api-key': key } });
    const { paths } = (await page.json()) as { paths: Record<string, { post: { responses: object } }> };
    expect(Object.values(paths)[0]?.post.responses).toHaveProperty(['202']);
  });

  it('KEY-10 a key on a page or an export is 401, never the page to sign in', async () => {
    for (const path of ['/web/export/csv?model=core.partner', '/web/export/pdf?model=core.partner', '/web/home']) {
      for (const headers of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { 'x-api-key': 'sk_wrong' }]) {
        const answer = await fetch(world.url + path, { headers, redirect: 'manual' });
        expect([path, answer.status, await answer.json()]).toMatchObject([
          path,
          401,
          { error: { code: 'UNAUTHORIZED' } },
        ]);
      }
    }
  });

  it('CLT-1 reads, groups, counts, and goes through more records than a call gives, in any order', async () => {
    const records = kontor.model(partners);
    const names = Array.from({ length: 1_203 }, (_, index) => `Page ${String(index % 600).padStart(4, '0')}`);
    const ids = await records.createMany(names.map((name) => ({ name })));
    const domain = [['name', '=like', 'Page %']] as const;
    const told: number[] = [];
    for await (const { id } of records.all(domain, ['name'])) {
      // What is made and deleted meanwhile shifts nothing.
      if (told.length === 100) await records.unlink(ids[0] as number);
      told.push(id);
    }
    expect(told).toEqual(ids);
    const down: number[] = [];
    for await (const { id } of records.all(domain, [], { order: '-id', page: 400 })) down.push(id);
    expect(down).toEqual(ids.slice(1).reverse());
    const byName: string[] = [];
    for await (const { name } of records.all(domain, ['name'], { order: 'name' })) byName.push(String(name));
    expect(byName).toEqual(names.slice(1).sort());
    expect(await records.count(domain)).toBe(1_202);
    expect(await records.readGroup({ domain, groupby: ['name'], limit: 1 })).toMatchObject([{ __count: 2 }]);
    expect(await records.search(domain, { limit: 2, order: 'id' })).toMatchObject([{ id: ids[1] }, { id: ids[2] }]);
    expect(await records.read([ids[2] as number], ['name'])).toEqual([{ id: ids[2], name: 'Page 0002' }]);
    await records.unlink(ids.slice(1));
  });

  it('CLT-2 sends a change again under the same key, so that it is done once, and waits as long as it is told to', async () => {
    const keys: (string | null)[] = [];
    let lost = 2;
    const flaky = withFetch(async (input, init) => {
      keys.push(new Headers(init?.headers).get('idempotency-key'));
      const answer = await fetch(input, init);
      if (lost-- > 0) throw new TypeError('The line broke.');
      return answer;
    });
    const id = await flaky.model(partners).create({ name: 'Once' });
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect(await kontor.model(partners).searchRead([['name', '=', 'Once']], [])).toEqual([{ id }]);

    const waits: number[] = [];
    let asked = 0;
    const busy = withFetch(async () => {
      waits.push(Date.now());
      if (++asked > 1) return Response.json({ ok: true, result: [], error: null });
      const error = { code: 'RATE_LIMITED', message: 'Too many.', details: { retry_after: 1 } };
      return Response.json({ ok: false, result: null, error }, { status: 429, headers: { 'retry-after': '1' } });
    });
    await busy.model(partners).search();
    expect((waits[1] as number) - (waits[0] as number)).toBeGreaterThanOrEqual(990);

    const gateway = async () => new Response('<html>', { status: 502 });
    await expect(withFetch(gateway, { attempts: 2 }).model(partners).search()).rejects.toThrow('answered 502');
    const away = createClient({ url: 'http://127.0.0.1:1', key, retries: { attempts: 2, firstMs: 1 } });
    await expect(away.model(partners).search()).rejects.toBeInstanceOf(NetworkError);
    const tooLong = async () => Response.json({}, { status: 429, headers: { 'retry-after': '3600' } });
    await expect(withFetch(tooLong).model(partners).search()).rejects.toBeInstanceOf(RateLimitedError);
  });

  it('CLT-3 tells a conflict with both sides, and saves what a program decides about it', async () => {
    const records = kontor.model(partners);
    const base = { city: 'Oslo', phone: '1' };
    const id = await records.create({ name: 'Contested', ...base });
    await records.write(id, { city: 'Bergen', email: 'a@example.com' });
    const conflict = await records.write(id, { city: 'Tromsø' }, { base }).catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({ ours: { city: 'Tromsø' }, theirs: { city: 'Bergen' } });
    await records.save(id, { city: 'Tromsø', phone: '2' }, base, ({ ours, theirs }) => ({
      city: `${String(theirs.city)}/${String(ours.city)}`,
    }));
    expect(await records.read([id], ['city', 'phone', 'email'])).toEqual([
      { id, city: 'Bergen/Tromsø', phone: '2', email: 'a@example.com' },
    ]);
    const each = records.writeEach([{ id, values: { city: 'x' }, base: { city: 'Oslo' } }]);
    await expect(each).rejects.toMatchObject({ id, code: 'CONFLICT' });
  });

  it('CLT-4 runs dry, gives receipts, undoes, names records, calls actions, and has a class for each refusal', async () => {
    const records = kontor.model(partners);
    const dry = await records.dryRun.create({ name: 'Never' });
    expect(dry).toMatchObject({ dry_run: true, changes: [{ model: partners, operation: 'create' }] });
    expect(await records.count([['name', '=', 'Never']])).toBe(0);
    const { result: id, changeSet } = await records.receipt.create({ name: 'Undone' });
    await kontor.undo(changeSet as number);
    await expect(records.read([id], ['name'])).rejects.toMatchObject({ missingIds: [id] });
    const [first] = await records.createMany([{ name: 'Named' }], { externalIds: ['erp.c1'], upsert: true });
    expect(await records.createMany([{ city: 'Oslo' }], { externalIds: ['erp.c1'], upsert: true })).toEqual([first]);
    expect([...(await records.byExternalId(['erp.c1', 'erp.c2']))]).toEqual([['erp.c1', first]]);
    await records.call(first as number, 'action_archive');
    await records.call([first as number], 'action_unarchive');
    expect(await records.onchange({ name: 'x' }, 'name')).toMatchObject({ value: {} });
    const refused: readonly (readonly [() => Promise<unknown>, typeof RpcError])[] = [
      [() => records.read([2_000_000_000], ['name']), NotFoundError],
      [() => records.create({ nmae: 'x' }), InvalidArgsError],
      [() => records.create({ name: null }), ValidationError],
      [() => createClient({ url: world.url, key: 'sk_no' }).model(partners).search(), UnauthorizedError],
    ];
    for (const [call, kind] of refused) await expect(call()).rejects.toBeInstanceOf(kind);
    const scope = { [partners]: ['read'] };
    const small = await world.work((env) => createApiKey(env, { userId: 1, name: 'r', expiresAt: null, scope }));
    const reader = createClient({ url: world.url, key: small.secret });
    await expect(reader.model(partners).create({ name: 'x' })).rejects.toBeInstanceOf(AccessDeniedError);
  });

  it('CLT-5 follows what changes from a cursor, page by page, until it is quiet or until it is ended', async () => {
    const records = kontor.model(partners);
    const cursor = await kontor.cursor();
    const ids = await records.createMany(Array.from({ length: 520 }, (_, index) => ({ name: `Feed ${index}` })));
    const { changeSet } = await records.receipt.write(ids[0] as number, { city: 'Oslo' });
    await records.unlink(ids[1] as number);
    const seen = [];
    let last = cursor;
    for await (const page of kontor.follow(cursor, [partners], { untilQuiet: true })) {
      seen.push(...page.changes);
      last = page.cursor;
    }
    expect(seen.filter(({ operation }) => operation === 'create')).toHaveLength(519);
    expect(seen.slice(-2)).toMatchObject([
      { operation: 'write', id: ids[0], fields: ['city'], changeSet },
      { operation: 'unlink', id: ids[1], model: partners },
    ]);
    const ended = new AbortController();
    const later: unknown[] = [];
    const following = (async () => {
      for await (const page of kontor.follow(last, [partners], { everyMs: 20, signal: ended.signal })) {
        later.push(...page.changes);
        ended.abort(new Error('enough'));
      }
    })();
    await records.unlink(ids[2] as number);
    await expect(following).rejects.toThrow('enough');
    expect(later).toMatchObject([{ operation: 'unlink', id: ids[2] }]);
    await records.unlink([ids[0] as number, ...ids.slice(3)]);
  });

  it('CLT-6 signs in with a password, and hears the bus', async () => {
    const person = createClient({ url: world.url });
    await expect(person.model(partners).search()).rejects.toBeInstanceOf(UnauthorizedError);
    await person.login(testAdmin.email, testAdmin.password);
    const opened = resolvers();
    const ended = new AbortController();
    const heard = (async () => {
      for await (const { channel, payload } of person.bus({
        WebSocket,
        signal: ended.signal,
        onOpen: () => opened.resolve(undefined),
      })) {
        if (channel === 'record.created' && payload.model === partners) return payload.id;
      }
      return null;
    })();
    await opened.promise;
    const id = await person.model(partners).create({ name: 'Heard' });
    expect(await heard).toBe(id);
    ended.abort();
  });
});

function resolvers() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

describe('kontor types', () => {
  const file = join(folder, 'models.ts');
  const given = (words: readonly string[], options: Record<string, string>) => ({
    config: world.kernel.config,
    words,
    option: (name: string) => options[name],
    has: () => false,
  });

  it('CLT-7 writes types by which a misspelt field, value, action or order does not compile', async () => {
    writeFileSync(join(folder, 'key'), `${key}\n`);
    await types.run(given([world.url], { output: file, 'key-file': join(folder, 'key') }));
    expect(readFileSync(file, 'utf8')).toContain("readonly 'core.partner': CorePartner;");
    writeFileSync(join(folder, 'use.ts'), program);
    for (const [at, code] of examplesOf('ts').entries()) {
      writeFileSync(join(folder, `docs-${at}.ts`), code.includes('import ') ? code : preamble + code);
    }
    compile(folder);
  });

  it('CLT-8 the package works where there is nothing else: types, maps and the client itself', async () => {
    const place = join(folder, 'alone');
    const home = join(place, 'node_modules/@kontor/rpc');
    mkdirSync(home, { recursive: true });
    const stage = `import('./scripts/packages/pack-all.mjs').then(({ stageRpc }) => stageRpc(${JSON.stringify(home)}))`;
    execFileSync(process.execPath, ['-e', stage], { cwd: root });
    writeFileSync(join(place, 'models.ts'), readFileSync(file));
    writeFileSync(join(place, 'use.ts'), program);
    compile(place, {});
    const code = `import { createClient } from '@kontor/rpc';
      const kontor = createClient({ url: '${world.url}', key: process.env.KONTOR_KEY });
      console.log(await kontor.model('core.currency').count([['name', '=', 'EUR']]));`;
    writeFileSync(join(place, 'run.mjs'), code);
    const env = { ...process.env, KONTOR_KEY: key };
    // The server is in this process: nothing may wait for the answer without letting it work.
    expect(await promisify(execFile)(process.execPath, ['run.mjs'], { cwd: place, env })).toMatchObject({
      stdout: '1\n',
    });
    expect(readFileSync(join(home, 'index.js'), 'utf8')).not.toMatch(/^import /m);
    const map = JSON.parse(readFileSync(join(home, 'index.js.map'), 'utf8')) as { sources: readonly string[] };
    expect(map.sources).toContain('transport.ts');
    expect(map.sources.filter((source) => source.includes('/'))).toEqual([]);
  });
});

const preamble = `import { createClient } from '@kontor/rpc';
import type { Models } from './models.ts';
const kontor = createClient<Models>({ url: 'http://localhost' });
`;
const program = `import { type Client, ConflictError, createClient } from '@kontor/rpc';
import type { Models } from './models.ts';

export async function use(kontor: Client<Models> = createClient<Models>({ url: 'http://localhost' })) {
  const partners = kontor.model('core.partner');
  const [one] = await partners.searchRead([['country_id.code', '=', 'NO']], ['name', 'country_id.code', { child_ids: ['city'] }], { order: '-name' });
  if (!one) return null;
  const name: string = one.name;
  const code: string | null = one['country_id.code'];
  const city: string | null | undefined = one.child_ids[0]?.city;
  const id: number = await partners.create({ name: 'Ada', child_ids: [['create', { name: 'Grace' }]] });
  await partners.write(id, { city: 'Oslo' }, { base: { city: null } });
  const dry = await partners.dryRun.unlink(id);
  const told: boolean = dry.dry_run;
  await partners.call(id, 'action_archive');
  for await (const { id: each, display_name } of partners.all([], ['display_name'])) console.log(each, display_name?.length);
  for await (const { changes } of kontor.follow('', ['core.partner'])) console.log(changes[0]?.operation, ConflictError);
  // @ts-expect-error a model that is not there
  kontor.model('core.partnr');
  // @ts-expect-error a misspelt field to read
  await partners.searchRead([], ['nmae']);
  // @ts-expect-error a misspelt field of another model
  await partners.searchRead([], ['country_id.cod']);
  // @ts-expect-error a misspelt field of lines
  await partners.searchRead([], [{ child_ids: ['ctiy'] }]);
  // @ts-expect-error a field that was not asked for
  one.email;
  // @ts-expect-error a misspelt field in a condition
  await partners.count([['nmae', '=', 'x']]);
  // @ts-expect-error an operator that is not there
  await partners.count([['name', 'is', 'x']]);
  // @ts-expect-error a misspelt field to sort by
  await partners.search([], { order: '-nmae' });
  // @ts-expect-error a misspelt field to write
  await partners.write(id, { ctiy: 'Oslo' });
  // @ts-expect-error a value of another type
  await partners.write(id, { city: 7 });
  // @ts-expect-error what only the server sets
  await partners.write(id, { create_date: '2026-11-16T00:00:00Z' });
  // @ts-expect-error a new record without what it needs
  await partners.create({ city: 'Oslo' });
  // @ts-expect-error an action that is not there
  await partners.call(id, 'action_archve');
  return { name, code, city, told };
}
`;

function compile(
  place: string,
  paths: object = {
    '@kontor/rpc': [join(root, 'packages/rpc/index.ts')],
    '@kontor/protocol': [join(root, 'packages/protocol/index.ts')],
  },
): void {
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], module: 'esnext', moduleResolution: 'bundler' },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, types: [] },
    ...{ allowImportingTsExtensions: true, paths, skipLibCheck: true, moduleDetection: 'force' },
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    execFileSync(process.execPath, [compiler, '-p', place], { encoding: 'utf8' });
  } catch (error) {
    throw new Error(String((error as { stdout?: string }).stdout));
  }
}

/** What docs/clients.md shows in a language. */
function examplesOf(language: 'ts' | 'py'): readonly string[] {
  const page = readFileSync(join(root, 'docs/clients.md'), 'utf8');
  return [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code = '']) => code);
}
