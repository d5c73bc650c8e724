import type { Domain, GroupRow, MeasureArch, WorkspacePayload } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: shippedApps(), demo: true });
}, 600_000);
afterAll(() => world.close());

function open(query: Readonly<Record<string, string>>): Promise<WorkspacePayload> {
  const caller = { actor: world.admin, csrf: 'token', lastWrite: null };
  return buildWorkspace(world.kernel, caller, readWorkspaceQuery(query));
}

interface Shown {
  readonly name: string;
  readonly action: string;
  readonly arch: Pick<WorkspacePayload['arch'], 'graph' | 'pivot'>;
}

/** The graphs and pivots of all screens, and those on the boards of apps. */
async function shownFigures(): Promise<readonly Shown[]> {
  const [actions, boards] = await world.work(async (env) => [
    await env.sudo().model('sys.action.window').searchRead([], ['name', 'view_mode']),
    await env
      .sudo()
      .model('sys.board')
      .search([['user_id', '=', null]]),
  ]);
  const shown: Shown[] = [];
  for (const { id, name, view_mode: modes } of actions) {
    for (const type of ['graph', 'pivot'].filter((one) => String(modes).split(',').includes(one))) {
      const { arch } = await open({ action: String(id), view_type: type });
      shown.push({ name: `${name}, ${type}`, action: String(id), arch });
    }
  }
  for (const id of boards) {
    const { arch } = await open({ model: 'sys.board', view_type: 'form', id: String(id) });
    for (const { name, screen } of arch.board?.tiles ?? []) {
      if (screen) shown.push({ name: `tile ${name}`, action: String(screen.actionId), arch: screen.arch });
    }
  }
  return shown;
}

/** Every third row is enough: the first ones are the totals. */
function figuresIn({ graph, pivot }: Shown['arch']) {
  const { rows, measures } = graph ?? pivot ?? { rows: [], measures: [] };
  const measured = measures.filter(({ measure }) => measure === 'sum' || measure === 'avg');
  return (rows as readonly GroupRow[])
    .filter((_, at) => at < 2 || at % 3 === 0)
    .slice(0, 12)
    .flatMap((row) => measured.map((measure) => ({ row, measure })));
}

async function listTotal(action: string, domain: Domain, { field, measure }: MeasureArch): Promise<unknown> {
  const query = {
    action,
    view_type: 'list',
    domain: JSON.stringify(domain),
    filter: '',
    figures: `${field}:${measure}`,
  };
  const { arch } = await open(query);
  const column = arch.list?.columns.find(({ name }) => name === field);
  if (!column?.isFigure || column.optional !== undefined || (column.sum ?? column.avg) === undefined)
    return 'no column';
  return arch.totals?.[field];
}

long(
  'GRA-10 the list behind each figure of every shipped graph, pivot and tile adds up to it',
  async () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { name, action, arch } of await shownFigures()) {
      for (const { row, measure } of figuresIn(arch)) {
        const value = row[measure.name];
        if (value === null || value === undefined) continue;
        const total = await listTotal(action, row.__domain, measure);
        compared++;
        if (Number(total).toFixed(4) !== Number(value).toFixed(4)) {
          wrong.push(`${name}, ${measure.name}: ${String(value)} but the list has ${String(total)}`);
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(60);
  },
  600_000,
);

it('GRA-10 figures that a list cannot show, and fields that the reader may not read, add no column', async () => {
  const names = async (figures: string) =>
    (await open({ action: 'sale.all_orders', view_type: 'list', figures })).arch.list?.columns.map(({ name }) => name);
  const usual = await names('');
  expect(await names('name:sum,no_such:sum,amount_total:max,partner_id:sum')).toEqual(usual);
  const reader = await world.person('Nora', ['base.group_user']);
  const query = { model: 'core.partner', view_type: 'list', figures: 'payment_days:avg' };
  const caller = { actor: reader, csrf: 'token', lastWrite: null };
  const { arch } = await buildWorkspace(world.kernel, caller, readWorkspaceQuery(query));
  expect(arch.list?.columns.map(({ name }) => name)).not.toContain('payment_days');
});

/** The counts on smart buttons of one record's form, each with what its list has. */
async function buttonCounts(
  model: string,
  id: number,
): Promise<readonly { name: string; shown: unknown; listed: number }[]> {
  const { arch, records } = await open({ model, view_type: 'form', id: String(id) });
  const counts = [];
  for (const { name, type, field } of arch.form?.stats ?? []) {
    if (type !== 'object' || field === undefined || !field.endsWith('_count')) continue;
    const { redirect } = (await world.work((env) => env.model(model).call([id], name.replace(/^action_/, '')))) as {
      readonly redirect: string;
    };
    const query = Object.fromEntries(new URL(redirect, 'http://kontor.test').searchParams);
    const { listTotal } = await open({ ...query, view_type: 'list', filter: '' });
    counts.push({ name: `${model} ${id}, ${name}`, shown: records[0]?.[field], listed: listTotal });
  }
  return counts;
}

it('GRA-11 the count on every smart button of a form is that of the list it opens', async () => {
  const models = await world.work((env) => env.sudo().model('sys.action.window').searchRead([], ['model']));
  const counts = [];
  for (const model of new Set(models.map((one) => String(one.model)))) {
    const ids = await world.work((env) => env.sudo().model(model).search([], { limit: 25 }));
    for (const id of ids) {
      const found = await buttonCounts(model, id);
      if (found.length === 0) break;
      counts.push(...found);
    }
  }
  expect(counts.filter(({ shown, listed }) => shown !== listed)).toEqual([]);
  expect(counts.filter(({ listed }) => listed > 0).length).toBeGreaterThan(20);
}, 600_000);
