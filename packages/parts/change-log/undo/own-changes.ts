import { sql } from '@kontor/database';
import type { Kernel } from '@kontor/kernel';
import { type Actor, type Env, type Model, mayAccessModel } from '@kontor/orm';
import type { OwnChange } from '@kontor/protocol';
import { ownValues, type Values } from './kept-changes.ts';

/** How many are listed, and how many are searched for them: changes of settings and the like are left out. */
const told = 100;
const lookedThrough = 400;

interface SetRow {
  readonly id: number;
  readonly tip: number;
  readonly agent: string | null;
  readonly task: string | null;
  readonly at: string;
  readonly turned_at: string;
  readonly reverted: boolean;
  readonly model: string;
  readonly operation: OwnChange['operation'];
  readonly ids: readonly number[];
  readonly values: string;
  readonly [column: string]: unknown;
}

/** The changes of a user that can still be undone or redone, newest first, from all devices. */
export function ownChanges(kernel: Kernel, actor: Actor): Promise<readonly OwnChange[]> {
  return kernel.read(actor, async (env) => {
    const work = (await ownSets(env)).filter(({ model }) => isWork(env.registry.models.get(model)));
    // The newest change of a task represents all of them.
    const rows = [...new Map(work.toReversed().map((row) => [keyOf(row), row])).values()].sort((a, b) => b.id - a.id);
    const shown = rows.slice(0, told);
    const names = await namesOf(env, shown);
    const tips = await tipsOfTasks(env, shown);
    return shown.map((row) => ({ ...toChange(env, row, names), tips: tips.get(keyOf(row)) ?? [row.tip] }));
  });
}

/**
 * Sets that are not reverts, each with the last set of its chain: reverting that one undoes or redoes the change. Read past the
 * access rows, which let only administrators read changes: these are the user's own, and contain no values.
 */
function ownSets(env: Env): Promise<readonly SetRow[]> {
  return env.db.query<SetRow>(sql`
    with recursive roots as (
      select s.id, s.create_date, s.write_date, s.reverted, s.agent, s.task from sys_change_set s
      where s.user_id = ${env.uid}::int4 and s.is_final is not true
        and not exists (select from sys_change_set back where back.reverted_by_id = s.id)
      order by s.id desc limit ${lookedThrough}::int4
    ), chain as (
      select r.id as root, s.id, s.reverted_by_id from roots r join sys_change_set s on s.id = r.id
      union all
      select chain.root, s.id, s.reverted_by_id from chain join sys_change_set s on s.id = chain.reverted_by_id
    )
    select r.id, r.agent, r.task, (select max(chain.id) from chain where chain.root = r.id) as tip, r.create_date as at,
      r.write_date as turned_at, r.reverted, main.model, main.operation, main.values::text as values,
      (select array_agg(distinct c.res_id) from sys_change c
        where c.set_id = r.id and c.model = main.model and c.operation = main.operation) as ids
    from roots r
    join lateral (select c.model, c.operation, c.values from sys_change c where c.set_id = r.id order by c.id limit 1)
      main on true
    order by r.id desc`);
}

type TaskRow = Pick<SetRow, 'id' | 'agent' | 'task' | 'reverted'>;

function keyOf({ id, agent, task, reverted }: TaskRow): string {
  return task === null ? String(id) : JSON.stringify([agent, task, reverted]);
}

/** The last sets of all chains of some tasks, however many there are: they are reverted together. */
async function tipsOfTasks(env: Env, rows: readonly SetRow[]): Promise<ReadonlyMap<string, readonly number[]>> {
  const tasks = [...new Set(rows.flatMap(({ task }) => task ?? []))];
  if (tasks.length === 0) return new Map();
  const found = await env.db.query<TaskRow & { readonly tips: readonly number[] }>(sql`
    with recursive roots as (
      select s.id, s.agent, s.task, s.reverted from sys_change_set s
      where s.user_id = ${env.uid}::int4 and s.is_final is not true and s.task = any(${tasks}::text[])
        and not exists (select from sys_change_set back where back.reverted_by_id = s.id)
    ), chain as (
      select r.id as root, s.id, s.reverted_by_id from roots r join sys_change_set s on s.id = r.id
      union all
      select chain.root, s.id, s.reverted_by_id from chain join sys_change_set s on s.id = chain.reverted_by_id
    ), last as (select root, max(id) as tip from chain group by root)
    select max(r.id) as id, r.agent, r.task, r.reverted, array_agg(distinct last.tip order by last.tip) as tips
    from roots r join last on last.root = r.id
    group by r.agent, r.task, r.reverted`);
  return new Map(found.map((row) => [keyOf(row), row.tips]));
}

/** Users do not want a history of their own settings and searches. */
function isWork(model: Model | undefined): boolean {
  return model !== undefined && !model.name.startsWith('sys.') && !model.quiet;
}

type Names = ReadonlyMap<string, string>;

/** Names of records as far as the user may read them, one statement per model. */
async function namesOf(env: Env, rows: readonly SetRow[]): Promise<Names> {
  const single = rows.filter(({ ids }) => ids.length === 1);
  const models = [...new Set(single.map(({ model }) => model))];
  const found = await Promise.all(
    models.map(async (model) => {
      if (!mayAccessModel(env, env.registry.model(model), 'read')) return [];
      const ids = single.filter((row) => row.model === model).map((row) => row.ids[0] as number);
      const records = await env.model(model).searchRead([['id', 'in', ids]], ['display_name']);
      return records.map(({ id, display_name }): [string, string] => [`${model},${id}`, String(display_name ?? '')]);
    }),
  );
  return new Map(found.flat());
}

function toChange(env: Env, row: SetRow, names: Names): Omit<OwnChange, 'tips'> {
  const { id, agent, task, reverted, model: name, operation, ids } = row;
  const model = env.registry.model(name);
  const values = JSON.parse(row.values) as Values;
  return {
    ...{ id, agent, task },
    at: toInstant(row.at),
    undoneAt: reverted ? toInstant(row.turned_at) : null,
    model: name,
    label: model.label,
    operation,
    count: ids.length,
    // A deleted record keeps its last name.
    name: names.get(`${name},${ids[0]}`) ?? (operation === 'unlink' ? String(values.name?.old ?? '') : ''),
    fields: operation === 'write' ? ownValues(model, values).map(([field]) => field.label) : [],
  };
}

/** In wire format; browsers parse other notations differently. */
function toInstant(stored: string): string {
  return new Date(stored).toISOString();
}
