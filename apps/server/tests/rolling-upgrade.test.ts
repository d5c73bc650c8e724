import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@kontor/database';
import { createTestDatabase, isLong, preparedDatabase, type TestDatabase, testAdmin } from '@kontor/testing';
import { needProgram } from '@kontor/testing/debian-program';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts, startHaproxy } from './balancer.ts';
import { Browser } from './browser.ts';
import { type BuiltServer, runBuilt, startBuiltServer } from './built-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'kontor-rolling-'));
const [versionOne, versionTwo, unsafeVersion, unreadable] = ['one', 'two', 'unsafe', 'unreadable'].map((name) =>
  join(folder, name),
) as [string, string, string, string];
const clients = isLong ? 8 : 2;
/** Requests that are answered between two steps. */
const between = isLong ? 2_000 : 40;
const rounds = isLong ? 5 : 1;
/** In the short run the other one goes on with the version before. */
const replaced = isLong ? ([0, 1] as const) : ([0] as const);

/** An app with a list and a form; its second version has one field more, which is required and on its screens. */
function writeCrates(root: string, version: string, { fields = '', views = '', migration = '', rule = '' } = {}): void {
  const files = {
    'manifest.json': JSON.stringify({ name: 'crates', label: 'Crates', version, depends: ['base'], application: true }),
    'addon.ts': `import { defineAddon, defineModel, fields } from '@kontor/addon';
      const crate = defineModel('crates.crate', { label: 'Crate', fields: { name: fields.char({ required: true }), ${fields} } });
      export default defineAddon({ models: [crate] });`,
    'security/access.csv':
      'id,name,model,group,read,write,create,unlink\naccess_crate,Crates,crates.crate,base.group_user,1,1,1,1\n',
    'views/crate.xml': `<views>
      <list id="crate_list" model="crates.crate"><field name="name"/>${views}</list>
      <form id="crate_form" model="crates.crate"><group><field name="name"/>${views}</group></form>
      <action id="crates" label="Crates" model="crates.crate" views="list,form"/>
      <menu id="menu_crates" label="Crates" action="crates"/>
    </views>`,
    ...(migration === '' ? {} : { 'migrations/0001-weigh.sql': migration }),
    ...(rule === '' ? {} : { 'security/rules.xml': rule }),
  };
  for (const [name, text] of Object.entries(files)) {
    const path = join(root, 'crates', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
}

let data: TestDatabase;
let ports: [number, number, number];
const servers: BuiltServer[] = [];
const start = (at: 0 | 1, addons: string, more: readonly string[] = []) =>
  startBuiltServer({
    dsn: data.dsn,
    env: { KONTOR_ADDONS_PATH: addons, KONTOR_TRUSTED_PROXIES: '127.0.0.1', KONTOR_HTTP_DRAIN_SECONDS: '1' },
    args: ['-p', String(ports[at]), ...more],
  });

beforeAll(async () => {
  writeCrates(versionOne, '1.0.0');
  writeCrates(versionTwo, '1.1.0', {
    fields: 'weight: fields.integer({ required: true, default: 3 }),',
    views: '<field name="weight"/>',
    migration: "update crates_crate set weight = 7 where name = 'first';\n",
  });
  writeCrates(unsafeVersion, '1.1.0', {
    fields: 'weight: fields.integer(),',
    migration: '-- Nobody needs it.\n\nalter table crates_crate drop column name;\n',
  });
  writeCrates(unreadable, '1.1.0', {
    fields: 'weight: fields.integer(),',
    rule: `<data><record id="rule_crate" model="sys.rule">
      <field name="name">Own crates</field><field name="model">crates.crate</field>
      <field name="domain">["|", ["weight", "=", 3], ["name", "in", ["$groups"]]]</field></record>
      <record id="heavy" model="sys.action.window"><field name="name">Heavy crates</field>
      <field name="model">crates.crate</field><field name="domain">[["weight", ">", 9]]</field><field name="order">-weight</field></record></data>`,
  });
  data = await createTestDatabase({ template: await preparedDatabase({}) });
  ports = (await freePorts(3)) as [number, number, number];
  servers.push(await start(0, versionOne, ['-i', 'crates']));
  servers.push(await start(1, versionOne));
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await data?.drop();
  rmSync(folder, { recursive: true, force: true });
});

interface Traffic {
  readonly created: readonly string[];
  readonly answered: number;
  readonly failed: readonly string[];
  stop(): Promise<void>;
}

/** People at work through the balancer: they create, look records up, and open lists, forms and pages. */
function startTraffic(browser: Browser, form: number): Traffic {
  const created: string[] = [];
  const failed: string[] = [];
  let answered = 0;
  let isOver = false;
  const read = { model: 'crates.crate', method: 'search_read', args: [[], ['name']], kwargs: { limit: 20 } };
  const paths = [
    '/web/wc/workspace?model=crates.crate&view_type=list',
    `/web/wc/workspace?model=crates.crate&view_type=form&id=${form}`,
    '/web/home',
  ];
  const page = async (path: string) => {
    const answer = await browser.get(path);
    const text = await answer.text();
    return answer.status === 200 ? '' : `${answer.status} ${path} ${text.slice(0, 300)}`;
  };
  const call = async (body: object, name = '') => {
    const { ok, status, error } = await browser.call(body);
    if (ok && name !== '') created.push(name);
    return ok ? '' : `${status} ${error?.code} ${error?.message}`;
  };
  const working = Array.from({ length: clients }, async (_, client) => {
    for (let count = 0; !isOver; count++) {
      const name = `crate ${client}-${count}`;
      const create = { model: 'crates.crate', method: 'create', args: [{ name }] };
      const steps = [() => call(create, name), () => call(read), ...paths.map((path) => () => page(path))];
      const step = steps[(client + count) % steps.length] ?? (() => call(read));
      const failure = await step().catch((error: Error) => `${error.message} ${String(error.cause)}`);
      if (failure === '') answered++;
      else failed.push(failure);
    }
  });
  return {
    created,
    failed,
    get answered() {
      return answered;
    },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

async function more(traffic: Traffic): Promise<void> {
  const before = traffic.answered + traffic.failed.length;
  const seen = () => traffic.answered + traffic.failed.length;
  await expect.poll(seen, { timeout: 120_000, interval: 20 }).toBeGreaterThan(before + between);
}

async function replace(at: 0 | 1, addons: string): Promise<void> {
  const old = servers[at] as BuiltServer;
  old.signal('SIGTERM');
  expect(await old.ended).toBe(0);
  servers[at] = await start(at, addons);
}

describe('two processes behind a balancer', () => {
  long('OPS-12 are not upgraded to what the version before does not outlive', async () => {
    const state = () =>
      data.database.query(sql`
        select (select version from sys_module where name = 'crates') as version,
          (select count(*)::int4 from sys_migration where module = 'crates') as migrations,
          (select string_agg(column_name, ' ' order by column_name) from information_schema.columns
            where table_name = 'crates_crate' and column_name in ('name', 'weight')) as columns`);
    const before = [{ version: '1.0.0', migrations: 0, columns: 'name' }];
    expect(await state()).toEqual(before);
    const env = { KONTOR_DB_DSN: data.dsn, KONTOR_ADDONS_PATH: unsafeVersion };
    const { code, err } = await runBuilt(['upgrade', 'crates', '--safe'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/Not safe with the previous version: .*0001-weigh\.sql:3 drops a column/);
    expect(err).toContain('Nothing was upgraded. Stop the other processes first.');
    expect(await state()).toEqual(before);
  });

  it('OPS-11 OPS-12 OPS-16 are not upgraded to records that the version before cannot read', async () => {
    // As the version before kept it, whose code did not know this token.
    await data.database.execute(sql`
      update sys_module set reads = (select jsonb_agg(word) from jsonb_array_elements(reads) word where word <> '"$groups"')
      where name = 'base'`);
    const env = { KONTOR_DB_DSN: data.dsn, KONTOR_ADDONS_PATH: unreadable };
    const { code, err } = await runBuilt(['upgrade', 'crates', '--safe'], { env });
    expect(code).toBe(1);
    expect(err).toMatch(/previous version: crates\/security\/rules\.xml:\d+ uses \$groups, which it does not know/);
    expect(err).toMatch(/rules\.xml:\d+ names crates\.crate\.weight, which it does not have/);
    // The second is an action with a domain and an order.
    expect(err.match(/names crates\.crate\.weight/g)).toHaveLength(2);
    expect(err).not.toContain('.null');
    expect(err).toContain('Nothing was upgraded');
    const [row] = await data.database.query(sql`select version from sys_module where name = 'crates'`);
    expect(row).toEqual({ version: '1.0.0' });
    const waiting = await runBuilt(['check'], { env: { ...env, KONTOR_ADDONS_PATH: versionTwo } });
    expect(waiting).toMatchObject({ code: 1, err: expect.stringContaining('kontor upgrade crates') });
  });

  it('OPS-1 OPS-2 OPS-12 are upgraded and restarted one by one under load, and every request is answered', async (context) => {
    const haproxy = needProgram(context, { program: 'haproxy', from: 'haproxy', mayFetch: true });
    const balancer = await startHaproxy(haproxy, {
      folder,
      port: ports[2],
      upstreams: [ports[0], ports[1]],
      everyMs: 100,
    });
    const browser = new Browser(balancer.url);
    await browser.signIn(testAdmin.email, testAdmin.password);
    const first = await browser.rpc<number>('crates.crate', 'create', [{ name: 'first' }]);
    const traffic = startTraffic(browser, first);
    try {
      await more(traffic);
      const env = { KONTOR_DB_DSN: data.dsn, KONTOR_ADDONS_PATH: versionTwo };
      expect(await runBuilt(['upgrade', 'crates', '--safe'], { env })).toMatchObject({ code: 0, err: '' });
      // Both still run the version before, on a database that is newer.
      const { records } = (await (await browser.get('/web/wc/workspace?model=crates.crate&view_type=list')).json()) as {
        records: Record<string, unknown>[];
      };
      expect([records.length > 0, records.some((row) => 'weight' in row)]).toEqual([true, false]);
      await more(traffic);
      for (let round = 0; round < rounds; round++) {
        for (const at of replaced) {
          await replace(at, versionTwo);
          await more(traffic);
        }
      }
    } finally {
      await traffic.stop();
      await balancer.stop();
    }
    expect([...new Set(traffic.failed)]).toEqual([]);
    const rows = await data.database.query<{ name: string; weight: number }>(
      sql`select name, weight from crates_crate`,
    );
    const kept = new Map(rows.map(({ name, weight }) => [name, weight]));
    expect(traffic.created.filter((name) => !kept.has(name))).toEqual([]);
    expect(rows).toHaveLength(kept.size);
    expect([kept.get('first'), new Set([...kept.values()])]).toEqual([7, new Set([3, 7])]);
    process.stdout.write(
      `restarts ${replaced.length * rounds}, upgrades 1, requests answered ${traffic.answered}, failed 0, created ${traffic.created.length}, lost 0\n`,
    );
  }, 900_000);
});
