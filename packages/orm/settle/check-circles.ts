import { ident, join, type Sql, sql } from '@kontor/database';
import { text } from '@kontor/protocol';
import type { Acyclic, Env, Model } from '../model/model.ts';
import { addIds, debtsOf, type IdsByName } from '../operation/settle-state.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import { ConstraintError } from './check-constraints.ts';

/** Ids to check, by model and acyclic rule. */
const dueCircles = (env: Env): IdsByName => debtsOf(env, 'circles');

/** Rejects records that the operation linked in a cycle. */
export async function checkCircles(env: Env): Promise<void> {
  const circlesDue = dueCircles(env);
  const due = [...circlesDue];
  circlesDue.clear();
  for (const [modelName, idsOf] of due) {
    const model = env.registry.model(modelName);
    for (const acyclic of model.acyclic) {
      const ids = [...(idsOf.get(acyclic.name) ?? [])];
      const found = ids.length > 0 ? await onCircle(env, model, acyclic, ids) : [];
      if (found.length > 0) throw refusal(env, model, acyclic, found);
    }
  }
}

function refusal(
  env: Env,
  { name, label }: Model,
  { field, message }: Acyclic,
  ids: readonly number[],
): ConstraintError {
  const told = ids.map((id) => ({
    ...{ model: name, id, field },
    message: message ?? text('{model} {id} cannot be placed under itself.', { model: label, id }),
  }));
  return new ConstraintError(env.registry, told, message === null ? told[0]?.message : undefined);
}

type Step = readonly [from: number, to: number];

/**
 * Writers of a model wait for each other, or two of them could close a cycle that neither sees. All reachable steps are
 * read in one statement.
 */
async function onCircle(env: Env, { table }: Model, { steps }: Acyclic, ids: readonly number[]): Promise<number[]> {
  await env.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`kontor.tree.${table}`}))`);
  const found = await env.db.arrays(sql`
    with recursive step(source, target) as not materialized (${join(steps.map(stepRows), sql` union all `)}),
    reached(id) as (
      select unnest(${ids}::int4[])
      union
      select step.target from reached join step on step.source = reached.id
    )
    select step.source, step.target from reached join step on step.source = reached.id`);
  const onward = withoutEnds(found.map(([from, to]): Step => [Number(from), Number(to)]));
  const circles = withoutEnds(onward.map(([from, to]): Step => [to, from]));
  const records = new Set(circles.map(([from]) => from));
  return ids.filter((id) => records.has(id));
}

function stepRows({ table, from, to }: Acyclic['steps'][number]): Sql {
  const [source, target] = [ident(from), ident(to)];
  return sql`select ${source}, ${target} from ${ident(table)} where ${source} is not null and ${target} is not null`;
}

/** Repeatedly removes the records without a next step: what is left is a cycle, or leads to one. */
function withoutEnds(steps: readonly Step[]): Step[] {
  const before = new Map<number, number[]>();
  const waysOn = new Map<number, number>();
  for (const [from, to] of steps) {
    const sources = before.get(to);
    if (sources) sources.push(from);
    else before.set(to, [from]);
    waysOn.set(from, (waysOn.get(from) ?? 0) + 1);
  }
  const ends = [...before.keys()].filter((id) => !waysOn.has(id));
  for (const end of ends) {
    for (const from of before.get(end) ?? []) {
      const left = (waysOn.get(from) ?? 0) - 1;
      waysOn.set(from, left);
      if (left === 0) ends.push(from);
    }
  }
  const gone = new Set(ends);
  return steps.filter(([from, to]) => !gone.has(from) && !gone.has(to));
}

/** Trees must not have cycles. */
export const circles: Concern = {
  name: 'circles',
  plan({ model, operation, fields }) {
    // Nothing refers to a new record: a cycle through it needs two of its own relations, or another written record.
    const least = operation === 'create' ? 2 : 1;
    const isWatched = (names: ReadonlySet<string>) => (each: Acyclic) =>
      each.on.filter((name) => names.has(name)).length >= least;
    if (operation === 'unlink' || !model.acyclic.some(isWatched(new Set(namesOf(fields))))) return null;
    return {
      after({ env, touched, changed }) {
        if (touched.size === 0) return;
        for (const { name } of model.acyclic.filter(isWatched(changed)))
          addIds(dueCircles(env), model.name, name, touched);
      },
    };
  },
};
