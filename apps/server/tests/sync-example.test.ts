import { execFile, execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { sql } from '@kontor/database';
import { createApiKey } from '@kontor/parts';
import { type Client, createClient } from '@kontor/rpc';
import { isLong } from '@kontor/testing';
import { needProgram } from '@kontor/testing/debian-program';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'kontor-sync-'));
/** Of them three fifths begin in Kontor, the rest in the file. */
const many = isLong ? 100_000 : 1_000;
const limitMs = isLong ? 3_600_000 : 180_000;
const fields = ['name', 'city', 'phone'] as const;
type Values = Record<(typeof fields)[number], string | null>;

let world: TestServer;
let key: string;
let kontor: Client;
const turn = () => new Promise((resolve) => setImmediate(resolve));
/**
 * Between the example and the server: what the example said before it asks is heard before it is answered, so that a kill comes in
 * time, however quick the answers are.
 */
let isKilled = false;
const relay = createServer(async (asked, answer) => {
  await turn();
  await turn();
  if (isKilled) return;
  const headers = { ...asked.headers, host: new URL(world.url).host };
  const passedOn = request(new URL(asked.url ?? '', world.url), { method: asked.method, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 500, from.headers);
    from.pipe(answer);
  });
  passedOn.once('error', () => answer.destroy());
  asked.pipe(passedOn);
});
beforeAll(async () => {
  world = await startTestServer();
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const made = await world.work((env) => createApiKey(env, { userId: 1, name: 'sync', expiresAt: null, scope: null }));
  key = made.secret;
  kontor = createClient({ url: world.url, key });
  const home = join(folder, 'node_modules/@kontor/rpc');
  const stage = `import('./scripts/packages/pack-all.mjs').then(({ stageRpc }) => stageRpc(${JSON.stringify(home)}))`;
  execFileSync(process.execPath, ['-e', stage], { cwd: root });
});
afterAll(async () => {
  relay.closeAllConnections();
  await new Promise((resolve) => relay.close(resolve));
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Program {
  readonly command: readonly [string, ...string[]];
  readonly prefix: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** A folder with the example, its settings and the file of the other program. */
function openPlace({ command: [program, ...args], prefix, env = process.env }: Program) {
  const place = join(folder, prefix);
  cpSync(join(root, 'examples/sync'), place, { recursive: true });
  const store = join(place, 'store.jsonl');
  const settings = {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    model: 'core.partner',
    fields,
    prefix,
    store,
    domain: [['name', '=like', `${prefix} %`]],
  };
  writeFileSync(join(place, 'sync.json'), JSON.stringify({ ...settings, always: {} }));
  const rows = () => {
    const found = new Map<string, { values: Values; id?: number }>();
    for (const line of readFileSync(store, 'utf8').trimEnd().split('\n')) {
      const { put } = JSON.parse(line) as { put?: { key: string; values: Values; id?: number } };
      if (put) found.set(put.key, put);
    }
    return found;
  };
  return {
    rows,
    /** What the other program does. */
    say: (lines: readonly object[]) => appendFileSync(store, lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    /** Runs it to its end, or kills it when it says the word for the nth time. What it said. */
    async run(kill?: { readonly at: string; readonly nth?: number }): Promise<readonly string[]> {
      const child = spawn(program, [...args, 'sync.json'], {
        cwd: place,
        env: { ...env, KONTOR_KEY: key },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const said: string[] = [];
      isKilled = false;
      createInterface({ input: child.stdout }).on('line', (line) => {
        said.push(line);
        if (!kill || said.filter((each) => each.startsWith(kill.at)).length !== (kill.nth ?? 1)) return;
        isKilled = true;
        child.kill('SIGKILL');
      });
      expect([await ended, said.at(-1)]).toEqual(
        kill ? [null, expect.anything()] : [0, expect.stringMatching(/^done/)],
      );
      return said;
    },
    async kontorRows() {
      const found = new Map<number, Values>();
      for await (const { id, name, city, phone } of kontor
        .model('core.partner')
        .all(settings.domain as never, [...fields])) {
        const text = (value: unknown) => (typeof value === 'string' ? value : null);
        found.set(id, { name: text(name), city: text(city), phone: text(phone) });
      }
      return found;
    },
  };
}

async function syncs(program: Program): Promise<void> {
  const { prefix } = program;
  const partners = kontor.model('core.partner');
  const place = openPlace(program);
  const inKontor = Math.floor(many * 0.6);
  const began = Date.now();
  const name = (at: number) => `${prefix} ${String(at).padStart(6, '0')}`;
  const ids: number[] = [];
  for (let at = 0; at < inKontor; at += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, inKontor - at) }, (_, index) => ({ name: name(at + index) }));
    ids.push(...(await partners.createMany(rows)));
  }
  // As a database does by itself; that of the tests has no autovacuum.
  await world.kernel.database.execute(sql`analyze core_partner, sys_change`);
  place.say(
    Array.from({ length: many - inKontor }, (_, index) => ({
      edit: { key: `s${index}`, values: { name: name(inKontor + index), city: 'Oslo', phone: null } },
    })),
  );
  const same = async (count: number) => {
    const [mine, theirs] = [place.rows(), await place.kontorRows()];
    expect([mine.size, theirs.size]).toEqual([count, count]);
    const plain = (values: Values | undefined) => JSON.stringify(fields.map((field) => values?.[field]));
    const other = [...mine.values()].filter(({ id, values }) => plain(theirs.get(id as number)) !== plain(values));
    expect(other).toEqual([]);
    return { mine, theirs };
  };
  const filled = Date.now();

  // Killed while it reads all records, and while it makes some: those whose answer it never saw are made once.
  await place.run({ at: 'read' });
  await place.run({ at: 'created' });
  await place.run();
  const { mine } = await same(many);
  const first = Date.now();

  // Both sides go on; the same field, different fields, and what one side deleted.
  const tenth = Math.floor(many / 20);
  const begun = new Set(ids);
  const own = [...mine.values()].filter(({ id }) => !begun.has(id as number)).length;
  expect(own).toBe(many - inKontor);
  for (let at = 0; at < tenth; at += 5_000)
    await partners.write(ids.slice(at, Math.min(tenth, at + 5_000)), { city: 'Bergen' });
  await partners.unlink(ids.slice(-20));
  place.say([
    ...Array.from({ length: tenth }, (_, index) => ({ edit: { key: `s${index}`, values: { phone: String(index) } } })),
    { edit: { key: `k${ids[0]}`, values: { city: 'Tromsø' } } },
    { edit: { key: `k${ids[1]}`, values: { phone: '22' } } },
    { edit: { key: `k${ids.at(-1)}`, values: { phone: '23' } } },
    ...Array.from({ length: 20 }, (_, index) => ({ delete: `s${tenth + index}` })),
    { edit: { key: 'late', values: { name: `${prefix} late`, city: null, phone: null } } },
    { delete: 'late' },
  ]);
  await place.run({ at: 'pulled' });
  await place.run({ at: 'wrote' });
  const said = await place.run();
  expect(said.at(-1)).toBe(`done ${many - 40} lines 1 conflicts`);
  const { theirs } = await same(many - 40);
  expect(theirs.get(ids[0] as number)?.city).toBe('Bergen');
  expect(theirs.get(ids[1] as number)).toMatchObject({ city: 'Bergen', phone: '22' });
  const changed = Date.now();
  expect(await place.run()).toEqual([`done ${many - 40} lines 1 conflicts`]);
  if (isLong) {
    const seconds = (from: number, to: number) => `${((to - from) / 1_000).toFixed(0)} s`;
    console.log(
      `${prefix}: ${many} records; filled in ${seconds(began, filled)}, first sync with two kills ${seconds(filled, first)}, changes with two kills ${seconds(first, changed)}`,
    );
  }
}

describe('the sync example', () => {
  it('CLT-10 by @kontor/rpc: both ways, deletions, conflicts, killed and resumed', { timeout: limitMs }, async () => {
    await syncs({ command: [process.execPath, 'sync.mjs'], prefix: 'js' });
  });

  it.runIf(isLong)(
    'CLT-10 by the Python client: both ways, deletions, conflicts, killed and resumed',
    {
      timeout: limitMs,
    },
    async (context) => {
      const { path, env } = needProgram(context, { program: 'python3', from: 'python3', mayFetch: true });
      await syncs({ command: [path, 'sync.py'], prefix: 'py', env: pythonEnv(env) });
    },
  );
});

it('CLT-9 the Python client does what docs/clients.md shows, and has a class for each refusal', async (context) => {
  const { path, env } = needProgram(context, { program: 'python3', from: 'python3', mayFetch: true });
  const page = readFileSync(join(root, 'docs/clients.md'), 'utf8');
  const [, shown = ''] = /```py\n([\s\S]*?)```/.exec(page) ?? [];
  mkdirSync(join(folder, 'python'));
  writeFileSync(
    join(folder, 'python/shown.py'),
    `import os\nurl, key = os.environ["URL"], os.environ["KEY"]\n${shown}\n${more}`,
  );
  const agent = { name: 'Scout', held: { '*': ['create'] as const }, approverId: null };
  const scout = await world.work((env) =>
    createApiKey(env, { userId: 1, name: 'scout', expiresAt: null, scope: null, agent }),
  );
  const { stdout } = await promisify(execFile)(path, ['shown.py'], {
    cwd: join(folder, 'python'),
    env: { ...pythonEnv(env), URL: world.url, KEY: key, AGENT_KEY: scout.secret },
  });
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/^\d+ Ada$/),
    expect.stringMatching(/^\d+ Grace$/),
    'Oslo Bergen',
    "['unlink', 'unlink']",
    'unlink 2',
    '1203 1203 True',
    'NotFoundError InvalidArgsError ValidationError UnauthorizedError NetworkError',
    'once True',
    'Decimal',
    '1 [3]',
    '5 2',
    'HeldError 1',
    '',
  ]);
});

function pythonEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const modules = [join(root, 'clients/python'), env.PYTHONPATH].filter(Boolean).join(':');
  return { ...env, PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1' };
}

const more = `
import http.client, kontor as client
made = partners.create_many([{"name": f"Py {at % 600:04}"} for at in range(1203)])
told = [each["id"] for each in partners.all([["name", "=like", "Py %"]], [])]
named = [each["name"] for each in partners.all([["name", "=like", "Py %"]], ["name"], order="name")]
print(len(told), len(set(told)), named == sorted(named))

def refusal(call):
    try:
        call()
    except client.RpcError as error:
        return type(error).__name__

away = Client("http://127.0.0.1:1", key=key, attempts=2, first_seconds=0)
print(
    refusal(lambda: partners.read([2000000000])),
    refusal(lambda: partners.create({"nmae": "x"})),
    refusal(lambda: partners.create({"name": None})),
    refusal(lambda: Client(url, key="sk_no").model("core.partner").search()),
    refusal(away.model("core.partner").search),
)

# An answer that is lost: the change is sent again under the same key.
real, lost = http.client.HTTPConnection.getresponse, [2]
def getresponse(self):
    answer = real(self)
    if lost[0]:
        lost[0] -= 1
        answer.read()
        raise http.client.RemoteDisconnected("The line broke.")
    return answer
http.client.HTTPConnection.getresponse = getresponse
patient = Client(url, key=key, first_seconds=0)
patient.model("core.partner").create({"name": "Py once"})
print("once", partners.count([["name", "=", "Py once"]]) == 1)
measure = {"name": "middle", "field": "id", "measure": "avg"}
print(type(partners.read_group(domain=[["id", "in", made[:2]]], fields=[measure])[0]["middle"]).__name__)

# More records than one call takes.
client.MOST_CREATED = 2
try:
    partners.create_many([{"name": "Py 1"}, {"name": "Py 2"}, {"name": "Py 3"}, {"name": ""}])
except client.ValidationError as error:
    print(len(error.details["created_ids"]) - 1, [row["index"] for row in error.rows])
client.MOST_CREATED, client.MOST_BYTES = 10_000, 200
long = partners.create_many([{"name": f"Py long {at}", "comment": "語" * 20} for at in range(5)], ["py.long_%d" % at for at in range(5)])
print(len(long), len(partners.by_external_id(["py.long_0", "py.long_4"])))
agent = Client(url, key=os.environ["AGENT_KEY"])
try:
    agent.model("core.partner").create({"name": "Waits"})
except client.HeldError as held:
    print(type(held).__name__, held.proposal and len(held.changes))
`;
