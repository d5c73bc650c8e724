import { sql } from '@kontor/database';
import { inCompany } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import {
  type GroupRow,
  type GroupSpec,
  graphTotals,
  type MeasureArch,
  pivotLevels,
  type WorkspacePayload,
} from '@kontor/protocol';
import { createTestKernel, isLong, type TestKernel, testSeed } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wrongFigures } from './compare-figures.ts';
import { figureModels, generateRows } from './generated-data.ts';
import { type Reader, readRules } from './reference-sql.ts';

/** Three zones, two companies with a currency each, one of them or both at once, and all rights or those of most people. */
const people = [
  { name: 'Berta Berlin', tz: 'Europe/Berlin', company: 0, isManager: true },
  { name: 'Lou Angeles', tz: 'America/Los_Angeles', company: 0, isManager: false },
  { name: 'Aki Auckland', tz: 'Pacific/Auckland', company: 1, isManager: true },
] as const;

let world: TestKernel;
const readers: Reader[] = [];

beforeAll(async () => {
  console.log(`seed ${testSeed} (KONTOR_TEST_SEED)`);
  world = await createTestKernel({ modules: shippedApps(), demo: true });
  const { kernel, work, admin } = world;
  const registry = kernel.loaded.registryIn('en_US');
  const other = await work(async (env) => {
    const [dollar] = await env.model('core.currency').search([['name', '=', 'USD']]);
    return env.sudo().model('core.company').create({ name: 'Harbour Trading', currency_id: dollar });
  });
  const groups = await work((env) => env.sudo().model('core.group').searchRead([], ['key']));
  const keys = groups.map(({ key }) => String(key)).filter((key) => !key.startsWith('base.'));
  for (const { name, tz, company, isManager } of people) {
    const own = keys.filter((key) => isManager || key.endsWith('.group_user'));
    const company_id = company === 0 ? admin.companyId : other;
    const values = { tz, company_id, company_ids: [['set', [admin.companyId, other]]] };
    const actor = await world.person(name, ['base.group_user', ...own], values);
    readers.push({ actor, registry, rules: await readRules(kernel.database) });
  }
  // The first once more, with the records of both companies.
  const [first] = readers as [Reader];
  readers.push({ ...first, actor: inCompany(first.actor, null, [Number(other)]) });
  await generateRows(kernel.database, registry, isLong ? 600 : 120);
  // Of the currencies of the generated amounts one has a rate without an end, and the other none.
  await kernel.database.execute(sql`update core_currency set rate = case name when 'EUR' then 1 when 'USD' then 1.0857
    when (select min(name) from core_currency) then 3.97530001 else rate end`);
}, 600_000);
afterAll(() => world.close());

async function open(actor: Actor, query: Readonly<Record<string, string>>): Promise<WorkspacePayload> {
  return buildWorkspace(world.kernel, { actor, csrf: 'token', lastWrite: null }, readWorkspaceQuery(query));
}

function asked(measures: readonly MeasureArch[]): GroupSpec['fields'] {
  return measures.map(({ name, field, measure }) => ({ name, field, measure }));
}

/** What a screen shows, as questions with the answers that it has. */
function answersOf({ arch }: WorkspacePayload): readonly { readonly spec: GroupSpec; readonly rows: unknown }[] {
  const { domain = [], graph, pivot, map, answers = [], moneyIn } = arch;
  const money = moneyIn?.asked ?? true;
  const own = [];
  if (graph && graph.rows.length > 0) {
    const { groupBy: groupby, measures, rows } = graph;
    own.push({
      spec: { domain, groupby, fields: asked(measures), subtotals: graphTotals(groupby), money },
      rows,
    });
  }
  if (pivot && pivot.rows.length > 0) {
    const [down, across] = [
      pivot.rowGroups.slice(0, pivot.levels.rows),
      pivot.columnGroups.slice(0, pivot.levels.columns),
    ];
    const spec = { domain, groupby: [...down, ...across], subtotals: pivotLevels(down, across), money };
    own.push({ spec: { ...spec, fields: asked(pivot.measures) }, rows: pivot.rows });
  }
  if (map) {
    const spec = { domain: map.domains.placed, groupby: [map.latitude, map.longitude], fields: [] };
    own.push({ spec, rows: map.rows });
  }
  return [...own, ...answers];
}

async function faultsOf(reader: Reader, name: string, model: string, payload: WorkspacePayload): Promise<string[]> {
  const found: string[] = [];
  for (const { spec, rows } of answersOf(payload)) {
    const wrong = await wrongFigures(world.kernel.database, reader, reader.registry.model(model), spec, rows as never);
    found.push(...wrong.slice(0, 3).map((fault) => `${name}, ${reader.actor.tz}: ${fault}`));
  }
  return found;
}

function hasMoney(payload: WorkspacePayload): boolean {
  return answersOf(payload).some(({ rows }) =>
    (rows as readonly GroupRow[]).some(({ __money }) => Object.keys(__money ?? {}).length > 0),
  );
}

const analytic = new Set(['graph', 'pivot', 'cohort', 'calendar', 'gantt', 'map']);

long(
  'FIG-15 every analytic view shows what SQL written from the tables says',
  async () => {
    const actions = await world.work((env) =>
      env.sudo().model('sys.action.window').searchRead([], ['name', 'model', 'view_mode']),
    );
    const [project] = await world.work((env) => env.model('project.project').search([], { limit: 1 }));
    const found: string[] = [];
    let screens = 0;
    let amounts = 0;
    for (const [nth, reader] of readers.entries()) {
      for (const [at, { id, name, model, view_mode: modes }] of actions.entries()) {
        // In the short run two of the readers open each view, others the next one.
        if (!isLong && (at + nth) % 2 === 0) continue;
        for (const type of String(modes)
          .split(',')
          .filter((one) => analytic.has(one))) {
          const query = { action: String(id), view_type: type, active_ids: String(project) };
          const payload = await open(reader.actor, query).catch((error: Error) => error);
          if (payload instanceof Error) {
            if ((payload as { code?: string }).code !== 'ACCESS_DENIED')
              found.push(`${name}, ${type}: ${payload.message}`);
            continue;
          }
          screens++;
          found.push(...(await faultsOf(reader, `${name}, ${type}`, String(model), payload)));
          if (!hasMoney(payload)) continue;
          const converted = await open(reader.actor, { ...query, convert: 'company' });
          amounts++;
          found.push(...(await faultsOf(reader, `${name}, ${type}, converted`, String(model), converted)));
        }
      }
    }
    expect(found).toEqual([]);
    // Every model that has such a view has data to compare.
    const shown = actions.filter(({ view_mode: modes }) =>
      String(modes)
        .split(',')
        .some((one) => analytic.has(one)),
    );
    const models = [...new Set(shown.map(({ model }) => String(model)))];
    expect(models.filter((model) => !figureModels.some((known) => known === model))).toEqual([]);
    expect(screens).toBeGreaterThan(50);
    expect(amounts).toBeGreaterThan(10);
  },
  600_000,
);

it('FIG-22 groups by a field of a relation are what SQL says, with names, and under the rules of the relation', async () => {
  const { kernel } = world;
  const asked = [
    ['sale.order', 'partner_id.country_id', 'turnover'],
    ['sale.order', 'partner_id.is_company', 'amount_total'],
    ['sale.order.line', 'order_id.partner_id', 'quantity'],
    ['crm.lead', 'partner_id.create_date:month', 'expected_revenue'],
    ['project.time', 'task_id.stage_id', 'hours'],
  ] as const;
  for (const reader of readers) {
    for (const [name, group, field] of asked) {
      const fields = [{ name: field, field, measure: 'sum' }] as const;
      const spec = { domain: [], groupby: [group], fields, subtotals: [[]], money: true };
      const rows = await kernel.read(reader.actor, (env) => env.model(name).readGroup(spec));
      const model = reader.registry.model(name);
      expect(await wrongFigures(kernel.database, reader, model, spec, rows as never)).toEqual([]);
      if (reader === readers[0]) expect(rows.length).toBeGreaterThan(2);
    }
    const { arch } = await open(reader.actor, {
      action: 'sale.all_orders',
      view_type: 'graph',
      group_by: 'partner_id.country_id',
    });
    expect(arch.fields.find((one) => one.name === 'partner_id.country_id')?.label).toBe('Customer: Country');
    const named = arch.graph?.rows.filter((row) => row['partner_id.country_id'] != null) ?? [];
    expect(named.map((row) => typeof row['partner_id.country_id.display_name'])).not.toContain('undefined');
  }
});

it('FIG-26 figures by company are of all companies that the reader has chosen, and of no other', async () => {
  const { kernel } = world;
  for (const reader of readers) {
    for (const [name, field] of [
      ['sale.order', 'turnover'],
      ['crm.lead', 'expected_revenue'],
    ] as const) {
      for (const money of [true, 'company', 'EUR', 'USD']) {
        const fields = [{ name: field, field, measure: 'sum' }] as const;
        const spec = {
          domain: [],
          groupby: ['company_id', 'create_date:year'],
          fields,
          subtotals: [[], ['company_id']],
          money,
        };
        const rows = await kernel.read(reader.actor, (env) => env.model(name).readGroup(spec));
        const model = reader.registry.model(name);
        expect(await wrongFigures(kernel.database, reader, model, spec, rows as never)).toEqual([]);
        const companies = new Set(rows.flatMap((row) => (typeof row.company_id === 'number' ? [row.company_id] : [])));
        expect(companies).toEqual(new Set(reader.actor.shownCompanyIds ?? [reader.actor.companyId]));
      }
    }
  }
});

it('FIG-25 a saved search keeps the currency, an address names one that exists', async () => {
  const [{ actor }] = readers as [Reader];
  const query = { action: 'sale.all_orders', view_type: 'list' };
  for (const convert of ['ZZZ', 'euro', "E'R"]) {
    await expect(open(actor, { ...query, convert })).rejects.toMatchObject({ code: 'INVALID_ARGS' });
  }
  const { arch } = await open(actor, query);
  expect(arch.moneyIn).toBeUndefined();
  const saved = { name: 'In dollars', model: 'sale.order', action: arch.key, query: 'convert=USD', is_default: true };
  await world.work((env) => env.model('sys.saved.search').create(saved), actor);
  expect((await open(actor, query)).arch.moneyIn).toEqual({ asked: 'USD', code: 'USD' });
  const grouped = await open(actor, { ...query, group_by: 'state', convert: 'company' });
  expect(grouped.arch.moneyIn?.asked).toBe('company');
  expect(grouped.arch.groups?.every(({ __money }) => __money !== undefined)).toBe(true);
});

it('FIG-25 totals of lists and kanbans are what SQL says, for each currency converted into one', async () => {
  const { database } = world.kernel;
  for (const reader of readers) {
    const model = reader.registry.model('sale.order');
    const query = { action: 'sale.all_orders', filter: '', sort: 'id', convert: 'company' };
    const { arch, listTotal } = await open(reader.actor, { ...query, view_type: 'list', group_by: 'state' });
    const sums = Object.keys(arch.totals ?? {});
    const fields = sums.map((name) => ({ name, field: name, measure: 'sum' as const }));
    const spec = { domain: arch.domain ?? [], groupby: [], fields, money: 'company' };
    const total = { ...arch.totals, __count: listTotal, __domain: [], __money: arch.money ?? {} } as GroupRow;
    expect(await wrongFigures(database, reader, model, spec, [total])).toEqual([]);
    const byState = { ...spec, groupby: ['state'] };
    expect(await wrongFigures(database, reader, model, byState, arch.groups ?? [])).toEqual([]);
    expect([sums.length > 0, Object.keys(arch.money ?? {}).length > 0]).toEqual([true, true]);

    const board = await open(reader.actor, { ...query, view_type: 'kanban', group_by: 'state' });
    const ofBoard = {
      ...byState,
      domain: board.arch.domain ?? [],
      fields: fields.filter(({ name }) => name === 'amount_total'),
    };
    const columns = (board.arch.kanban?.columns ?? [])
      .filter(({ count }) => count > 0)
      .map(({ value, count, sums: own, money }) => {
        const amount = (money?.amount_total?.length ?? 0) > 1 ? null : own.amount_total;
        return {
          state: value,
          amount_total: amount,
          __count: count,
          __domain: [],
          __money: money,
        } as unknown as GroupRow;
      });
    expect(columns.length).toBeGreaterThan(1);
    expect(await wrongFigures(database, reader, model, ofBoard, columns)).toEqual([]);
  }
});

it('PLN-11 critical path and load are of all work, whatever is searched for and in sight', async () => {
  const [{ actor }] = readers as [Reader];
  const gantt = async (more: Readonly<Record<string, string>>) => {
    const payload = await open(actor, {
      action: 'project.tasks',
      view_type: 'gantt',
      critical: '1',
      scale: 'month',
      ...more,
    });
    return { records: payload.records, ...payload.arch.gantt };
  };
  const all = await gantt({});
  const assigned = all.records.find(({ assignee_ids: people }) => (people as readonly unknown[]).length > 0);
  const one = await gantt({ domain: JSON.stringify([['id', '=', assigned?.id]]) });
  const far = await gantt({ date: '2031-01-01' });
  expect(all.critical?.length).toBeGreaterThan(0);
  expect([one.critical, far.critical]).toEqual([all.critical, all.critical]);
  expect(one.records).toHaveLength(1);
  expect(one.load?.length).toBeGreaterThan(0);
  expect(one.load).toEqual(all.load?.filter(({ id }) => one.load?.some((person) => person.id === id)));
});

it('FIG-16 a measure that the reader may not see is said to be so, and no other one stands in its place', async () => {
  const [manager, seller] = readers as [Reader, Reader];
  const queries = ['measure=margin_in_company', 'measure=turnover,margin_percent:ratio', 'measure=margin_percent'];
  const tiles = (['figure', 'graph', 'pivot'] as const).flatMap((kind) =>
    queries.map((query) => ['create', { name: `Margin as ${kind}`, kind, action: 'sale.order_analysis', query }]),
  );
  const board = await world.work((env) =>
    env.model('sys.board').create({ name: 'Margins', is_shared: true, tile_ids: tiles }),
  );
  const told = async ({ actor }: Reader) => {
    const payload = await open(actor, { model: 'sys.board', view_type: 'form', id: String(board) });
    return payload.arch.board?.tiles.map(({ name, error }) => `${name}: ${error?.message ?? 'shown'}`);
  };
  const names = ['margin_in_company', 'margin_percent', 'margin_percent'];
  const kinds = ['figure', 'graph', 'pivot'];
  expect(await told(manager)).toEqual(kinds.flatMap((kind) => names.map(() => `Margin as ${kind}: shown`)));
  expect(await told(seller)).toEqual(
    kinds.flatMap((kind) => names.map(() => `Margin as ${kind}: This figure is not available to you.`)),
  );
});

it('FIG-16 shipped tiles name their measures', async () => {
  const tiles = await world.work((env) =>
    env
      .sudo()
      .model('sys.board.tile')
      .searchRead([['kind', 'in', ['figure', 'graph', 'pivot']]], ['name', 'query']),
  );
  expect(
    tiles.filter(({ query }) => !new URLSearchParams(String(query)).get('measure')).map(({ name }) => name),
  ).toEqual([]);
});

it('FIG-15 every tile of every shipped board shows what SQL written from the tables says, also converted', async () => {
  await world.work(async (env) => {
    const paths = ['name', 'kind', 'width', 'height', 'action', 'model', 'query'];
    const tiles = await env
      .sudo()
      .model('sys.board.tile')
      .searchRead(
        [
          ['kind', 'in', ['figure', 'graph', 'pivot']],
          ['board_id.user_id', '=', null],
        ],
        paths,
      );
    const copies = tiles.map(({ id: _, ...tile }) => ['create', { ...tile, query: `${tile.query}&convert=company` }]);
    await env
      .sudo()
      .model('sys.board')
      .create({ name: 'Converted', is_shared: true, user_id: null, tile_ids: copies.slice(0, 40) });
  });
  const boards = await world.work((env) =>
    env
      .sudo()
      .model('sys.board')
      .searchRead([['user_id', '=', null]], ['name']),
  );
  const found: string[] = [];
  let tiles = 0;
  for (const reader of readers) {
    for (const { id, name } of boards) {
      const payload = await open(reader.actor, { model: 'sys.board', view_type: 'form', id: String(id) }).catch(
        () => null,
      );
      for (const { name: title, screen, error } of payload?.arch.board?.tiles ?? []) {
        if (error) found.push(`${name}, ${title}: ${error.message}`);
        if (!screen) continue;
        tiles++;
        found.push(
          ...(await faultsOf(reader, `${name}, ${title}`, screen.model, screen as unknown as WorkspacePayload)),
        );
      }
    }
  }
  expect(found).toEqual([]);
  expect(tiles).toBeGreaterThan(60);
}, 600_000);
