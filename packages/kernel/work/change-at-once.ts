import { fillSlots, join, precompile, type Sql, slot, sql } from '@kontor/database';
import {
  type Actor,
  type OneChange,
  planStatement,
  rightsNumber,
  type Scope,
  type Statement,
  type StatementRow,
} from '@kontor/orm';
import { KontorError, type LruCache, lruCache } from '@kontor/protocol';
import { shortAnswer } from './idempotency.ts';
import { noPurpose, nothingFinished, type Purpose } from './keep-rows.ts';
import { envOn } from './run-work.ts';
import type { WorkContext, WorkOptions } from './work-context.ts';

export interface ChangedAtOnce {
  readonly id: number;
  /** Null: the record already had these values. */
  readonly changeSet: number | null;
}

interface KeptPlan {
  readonly row: Statement['row'];
  readonly statement: Sql;
}

/** The source of the statement's slots. */
interface Filling {
  readonly row: StatementRow;
  readonly requestId: string | null;
  readonly address: string | null;
  readonly via: string | null;
  readonly purpose: Purpose;
  readonly once: Once | null;
}

/** The Idempotency-Key of a call: a repeated call with it gets the first answer. */
interface Once {
  readonly key: string;
  readonly bodyHash: string;
}

export interface AtOnceOptions extends Pick<WorkOptions, 'scope' | 'requestId' | 'address' | 'via' | 'purpose'> {
  readonly once?: Once | null;
}

/**
 * By user, model and fields, while rights, modules and observers stay the same; null: not possible with one statement.
 */
const plans = new WeakMap<WorkContext, LruCache<string, KeptPlan | null>>();
const maxPlans = 2_000;
const maxFields = 100;

/**
 * A unit of work with one change that needs only one statement, which makes the change and stores its change set and event. Null:
 * it changed nothing, and the ordinary path does it or reports why not.
 */
export async function changeAtOnce(
  context: WorkContext,
  actor: Actor,
  model: string,
  change: OneChange,
  { scope = null, requestId = null, address = null, via = null, purpose = noPurpose, once = null }: AtOnceOptions,
): Promise<ChangedAtOnce | null> {
  const plan = keptPlan(context, actor, { model, change, scope, isOnce: once !== null });
  const row = plan?.row(change, new Date());
  if (!plan || !row) return null;
  const statement = fillSlots<Filling>(plan.statement, { row, requestId, address, via, purpose, once });
  let cells: readonly unknown[] | undefined;
  try {
    [cells] = await context.database.change(statement);
  } catch (error) {
    // The ordinary path reports what the database rejected; an unavailable database is reported now.
    if (error instanceof KontorError) throw error;
    return null;
  }
  const [id, changeSet] = cells as readonly (number | null)[];
  if (typeof id !== 'number') return null;
  if (typeof changeSet === 'number') context.onCommitted({ changed: new Set([model]) });
  return { id, changeSet: changeSet ?? null };
}

interface Asked {
  readonly model: string;
  readonly change: OneChange;
  readonly scope: Scope | null;
  readonly isOnce: boolean;
}

function keptPlan(context: WorkContext, actor: Actor, asked: Asked): KeptPlan | null {
  const { model, change, scope, isOnce } = asked;
  const names = Object.keys(change.values);
  const seen = change.operation === 'write' && change.base ? Object.keys(change.base) : [];
  if (names.length > maxFields || seen.length > maxFields) return null;
  const rights = rightsNumber({ actor, policy: context.policy, registry: context.registryIn(actor.lang) });
  // With their counts: an invalid name may contain a comma.
  const named = `${names.length} ${names.join()} ${seen.length} ${seen.join()}`;
  const key = `${rights} ${model} ${change.operation} ${named} ${isOnce} ${scope?.key ?? ''}`;
  let known = plans.get(context);
  if (!known) {
    known = lruCache(maxPlans);
    plans.set(context, known);
  }
  let plan = known.get(key);
  if (plan === undefined) {
    plan = makePlan(context, actor, asked);
    known.set(key, plan);
  }
  return plan;
}

function makePlan(context: WorkContext, actor: Actor, { model: name, change, scope, isOnce }: Asked): KeptPlan | null {
  if (context.signalsOf.has(name)) return null;
  const env = envOn(context, actor, context.database, { isOutside: true, scope });
  const plan = planStatement(env, env.registry.model(name), change);
  const { operation } = change;
  if (!plan || context.observers.some((observer) => observer.concerns({ ...plan, operation }))) return null;
  const rows = sql`(
    select ${name}::text as model, id as res_id, ${operation}::text as operation, company_id, values from changed) as c`;
  const work = { ...nothingFinished, uid: env.uid || null, ...slots, changed: { rows, isCertain: false } };
  const kept = context.keepers.flatMap(({ keep }) => keep?.(work) ?? []);
  const changeSet = kept.find((rows) => rows.changeSet)?.changeSet ?? sql`null::int4`;
  const { id } = plan;
  const answer = isOnce ? [shortAnswer({ ...onceSlots, uid: env.uid, id, changeSet, operation })] : [];
  const queries = [...plan.with, ...kept.flatMap((rows) => rows.with), ...answer];
  return { row: plan.row, statement: precompile(sql`with ${join(queries)} select ${id}, ${changeSet}`) };
}

const slots = {
  requestId: slot(({ requestId }: Filling) => requestId),
  address: slot(({ address }: Filling) => address),
  via: slot(({ via }: Filling) => via),
  purpose: {
    agent: slot(({ purpose }: Filling) => purpose.agent),
    task: slot(({ purpose }: Filling) => purpose.task),
    reason: slot(({ purpose }: Filling) => purpose.reason),
  },
} as const;

const onceSlots = {
  key: slot(({ once }: Filling) => once?.key),
  bodyHash: slot(({ once }: Filling) => once?.bodyHash),
} as const;
