import { sql } from '@kontor/database';
import { openApi, openModels, typescriptOf } from '@kontor/kernel';
import { createApiKey } from '@kontor/parts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Browser, type Envelope } from './browser.ts';
import { confirm, counts, stage } from './import/upload-csv.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let world: TestServer;
let admin: Browser;
beforeAll(async () => {
  world = await startTestServer({ modules: ['crm'] });
  admin = await world.signedIn();
});
afterAll(() => world.close());

const lead = 'crm.lead';
const state = async () => {
  const { result } = (await (await admin.get(`/web/customise?model=${lead}`)).json()) as {
    result: { base: number; draft: number };
  };
  return result;
};
const post = async (body: object, browser = admin): Promise<Envelope & { status: number }> => {
  const answer = await browser.json('/web/customise', body, { accept: 'application/json' });
  return { ...((await answer.json()) as Envelope), status: answer.status };
};
const publish = async (changes: readonly object[]) => {
  const { base, draft } = await state();
  return post({ do: 'publish', base, draft, changes });
};
const add = (name: string, field: object, more: object = {}) => ({
  ...{ do: 'add_field', model: lead, name, field, inList: true },
  ...more,
});

describe('a field that was added in the browser', () => {
  beforeAll(async () => {
    const done = await publish([
      add(
        'x_lift',
        {
          type: 'selection',
          label: 'Lift on site',
          help: 'Asked by the fitters.',
          choices: [
            { value: 'none', label: 'No lift' },
            { value: 'goods', label: 'Goods lift', look: 'ok' },
          ],
        },
        { words: { de_DE: { 'Lift on site': 'Aufzug vor Ort' } } },
      ),
      add('x_budget', { type: 'monetary', label: 'Budget', currency: 'currency_id' }),
      add('x_visit', { type: 'date', label: 'Visit' }),
      add('x_country_ids', { type: 'many2many', label: 'Countries', relation: 'core.country' }),
    ]);
    expect(done).toMatchObject({ ok: true, result: { base: 1, draft: 0 } });
  });

  it('CUS-11 is created, searched, sorted, grouped and summed by RPC', async () => {
    const ids = await admin.rpc<number[]>(lead, 'create_many', [
      [
        { name: 'One', x_lift: 'goods', x_budget: '100.50', x_visit: '2026-11-02', x_country_ids: [['set', [1, 2]]] },
        { name: 'Two', x_lift: 'goods', x_budget: '50' },
        { name: 'Three', x_lift: 'none' },
      ],
    ]);
    const found = await admin.rpc<object[]>(
      lead,
      'search_read',
      [[['x_lift', '=', 'goods']], ['name', 'x_budget', 'x_country_ids']],
      {
        order: '-x_budget',
      },
    );
    expect(found).toEqual([
      { id: ids[0], name: 'One', x_budget: 100.5, x_country_ids: [1, 2] },
      { id: ids[1], name: 'Two', x_budget: 50, x_country_ids: [] },
    ]);
    const groups = await admin.rpc<object[]>(lead, 'read_group', [
      {
        domain: [['x_lift', '!=', null]],
        groupby: ['x_lift'],
        fields: [{ name: 'x_budget', field: 'x_budget', measure: 'sum' }],
      },
    ]);
    expect(groups).toMatchObject([
      { x_lift: 'none', __count: 1 },
      { x_lift: 'goods', x_budget: 150.5, __count: 2 },
    ]);
    const { error } = await admin.call({ model: lead, method: 'create', args: [{ name: 'Four', x_lift: 'roof' }] });
    expect(error?.details.fields).toEqual({ x_lift: [expect.stringContaining('is not one of the choices')] });
  });

  it('CUS-11 is on the form and in the columns of the list, and people may filter, group and sum by it', async () => {
    const arch = async (view: string) => {
      const answer = await admin.get(`/web/wc/workspace?model=${lead}&view_type=${view}`);
      return (
        (await answer.json()) as {
          arch: { fields: { name: string }[]; list?: { columns: { name: string; optional?: string }[] } };
        }
      ).arch;
    };
    const list = await arch('list');
    expect(list.list?.columns.find(({ name }) => name === 'x_lift')).toMatchObject({
      optional: 'hide',
      widget: 'badge',
      options: { looks: { goods: 'ok' } },
    });
    const form = await arch('form');
    expect(form.fields.find(({ name }) => name === 'x_lift')).toMatchObject({
      label: 'Lift on site',
      help: 'Asked by the fitters.',
      groupable: true,
      searchable: true,
    });
    for (const view of ['graph', 'pivot']) expect(JSON.stringify(await arch(view))).toContain('x_budget');
  });

  it('CUS-11 is exported and imported, by its name and by its label in any language', async () => {
    const csv = await (
      await admin.get(
        `/web/export/csv?${new URLSearchParams({ model: lead, fields: 'name,x_lift,x_budget', domain: '[["name","=","One"]]' })}`,
      )
    ).text();
    expect(csv).toContain('One,goods,100.5');
    const batch = await stage(admin, 'name,Aufzug vor Ort,x_budget\nFrom a file,Goods lift,7\n', { model: lead });
    expect(counts(await confirm(admin, batch))).toBe('imported_1_updated_0_skipped_0');
    const [row] = await admin.rpc<object[]>(lead, 'search_read', [
      [['name', '=', 'From a file']],
      ['x_lift', 'x_budget'],
    ]);
    expect(row).toMatchObject({ x_lift: 'goods', x_budget: 7 });
  });

  it('CUS-11 is in the feed, the metadata, the JSON Schema, OpenAPI, the types and the reference', async () => {
    const ask = (domain: unknown[]) =>
      admin.rpc<{ cursor: string; fields: string[] }[]>('sys.feed', 'search_read', [domain]);
    const [head] = await ask([['cursor', '>', 'now']]);
    const [first] = await admin.rpc<{ id: number }[]>(lead, 'search_read', [[['name', '=', 'Two']], ['name']]);
    await admin.rpc(lead, 'write', [[first?.id], { x_lift: 'none' }]);
    const [change] = await ask([
      ['cursor', '>', head?.cursor],
      ['model', 'in', [lead]],
    ]);
    expect(change?.fields).toContain('x_lift');
    const [row] = await admin.rpc<object[]>('sys.field', 'search_read', [
      [
        ['model', '=', lead],
        ['name', '=', 'x_lift'],
      ],
      ['label', 'type', 'module'],
    ]);
    expect(row).toMatchObject({ label: 'Lift on site', type: 'selection', module: 'custom' });
    for (const path of [`/web/schema/${lead}.json`, '/web/openapi.json'])
      expect(await (await admin.get(path)).text()).toContain('x_lift');
    const types = await world.kernel.read(world.admin, async (env) => typescriptOf(openApi(openModels(env, null), '')));
    expect(types).toMatch(/x_lift.*'none' \| 'goods'|x_lift.*"none" \| "goods"/);
    expect(await (await admin.get(`/web/reference?model=${lead}`, { accept: 'application/json' })).text()).toContain(
      'x_lift',
    );
  });

  it('CUS-11 is shown in the language of its reader', async () => {
    const lena = await world.user('Lena Vogt', ['base.group_user', 'crm.group_manager'], { lang: 'de_DE' });
    const answer = await lena.browser.get(`/web/wc/workspace?model=${lead}&view_type=form`);
    expect(await answer.text()).toContain('Aufzug vor Ort');
  });
});

describe('the door', () => {
  it('CUS-8 refuses a missing token, other people and every API key', async () => {
    const { base, draft } = await state();
    const change = { do: 'publish', base, draft, changes: [add('x_no', { type: 'char', label: 'No' })] };
    const lena = await world.user('Other Lena', ['base.group_user', 'crm.group_manager']);
    expect((await post(change, lena.browser)).error?.code).toBe('ACCESS_DENIED');
    const bare = new Browser(world.url);
    for (const [name, value] of admin.cookies) bare.cookies.set(name, value);
    expect((await post(change, bare)).error?.code).toBe('CSRF_INVALID');
    const key = await world.work((env) => createApiKey(env, { userId: 1, name: 'All', expiresAt: null, scope: null }));
    expect((await post(change, Browser.withKey(world.url, key.secret))).status).toBe(401);
    expect((await state()).base).toBe(base);
  });

  it('CUS-10 refuses a document of 10 MB before it is read', async () => {
    const { base, draft } = await state();
    const words = { de_DE: { A: 'x'.repeat(10_000_000) } };
    const done = await post({
      do: 'publish',
      base,
      draft,
      changes: [add('x_big', { type: 'char', label: 'A' }, { words })],
    });
    expect([413, 422]).toContain(done.status);
    const [table] = await world.kernel.database.query<{ n: number }>(
      sql`select count(*)::int4 as n from information_schema.columns where table_name = 'crm_lead' and column_name = 'x_big'`,
    );
    expect(table?.n).toBe(0);
  });

  it('CUS-2 tells each mistake at its field, in the language of the author', async () => {
    const done = await publish([add('x_bad', { type: 'many2one', label: 'Bad' })]);
    expect([done.status, done.error?.details.fields]).toEqual([
      422,
      { 'crm.lead.x_bad': ['Choose what it links to.'] },
    ]);
    expect((await post({ do: 'publish', base: 'one' })).error?.code).toBe('INVALID_ARGS');
    expect((await post({ do: 'drop' })).error?.code).toBe('INVALID_ARGS');
    expect((await post({ do: 'publish', changes: [{ do: 'eval' }] })).error?.code).toBe('INVALID_ARGS');
  });
});
