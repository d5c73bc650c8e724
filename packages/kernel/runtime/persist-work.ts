import { type Sql, sql, type Transaction } from '@kontor/database';
import { type Change, type Env, toJson } from '@kontor/orm';
import { eventRows, type OutboxEvent, publishEvents } from './publish-events.ts';
import type { SignalName } from './signals.ts';

/** Processes keep what these models say, so a change of them is told to all. */
const signalOf: ReadonlyMap<string, SignalName> = new Map([
  ['core.user', 'rights'],
  ['core.user.apikey', 'rights'],
  ['core.group', 'rights'],
  ['core.company', 'rights'],
  ['sys.access', 'rights'],
  ['sys.rule', 'rights'],
  ['sys.view', 'views'],
  ['sys.action.window', 'views'],
  ['sys.menu', 'views'],
  ['sys.automation', 'views'],
  ['sys.saved.search', 'settings'],
  ['sys.user.setting', 'settings'],
]);

const channels = { create: 'record.created', write: 'record.updated', unlink: 'record.deleted' } as const;

export interface WorkToPersist {
  readonly requestId: string | null;
  readonly published: readonly OutboxEvent[];
  /** Nothing else follows in the transaction, unless signals have to be raised. */
  readonly mayEnd: boolean;
  /** That of what was kept before, in the same unit of work. */
  readonly changeSet?: number | null;
}

export interface PersistedWork {
  readonly changeSet: number | null;
  readonly hasEvents: boolean;
  /** What other processes have to read again. */
  readonly signals: ReadonlySet<SignalName>;
}

/**
 * Turns what a transaction did into a change set and events, in that transaction and in one statement.
 * Secret values never leave their column.
 */
export async function persistWork(
  env: Env,
  tx: Transaction,
  { requestId, published, mayEnd, changeSet = null }: WorkToPersist,
): Promise<PersistedWork> {
  const signals = new Set(env.work.changes.flatMap(signalsOf));
  const changes = env.work.changes.filter((change) => !env.registry.model(change.model).quiet);
  if (changes.length === 0) {
    await publishEvents(tx, published);
    return { changeSet, hasEvents: published.length > 0, signals };
  }
  const events = [...changeEvents(distinctChanges(changes)), ...published];
  const statement = sql`
    with made as (${changeSet === null ? newSet(env, requestId) : sql`select ${changeSet}::int4 as id`}), kept as (
      insert into sys_change (set_id, model, res_id, operation, values, create_date, write_date)
      select made.id, c.model, c.res_id, c.operation, c.values::jsonb, now(), now()
      from made, unnest(${changes.map((c) => c.model)}::text[], ${changes.map((c) => c.id)}::int4[],
        ${changes.map((c) => c.operation)}::text[], ${changes.map((c) => valuesJson(env, c))}::text[])
        as c(model, res_id, operation, values)
    ), told as (
      insert into sys_outbox (channel, payload, model, company_id, user_id, xact, create_date, write_date)
      select e.channel, e.payload::jsonb, e.model, e.company_id, e.user_id, pg_current_xact_id()::text::numeric,
        now(), now()
      from ${eventRows(events)}
    )
    select id from made`;
  const isLast = mayEnd && signals.size === 0;
  const [row] = await (isLast ? tx.last<{ id: number }>(statement) : tx.query<{ id: number }>(statement));
  return { changeSet: row?.id ?? null, hasEvents: true, signals };
}

function newSet(env: Env, requestId: string | null): Sql {
  return sql`
    insert into sys_change_set (user_id, request_id, reverted, create_date, create_uid, write_date, write_uid)
    values (${env.uid || null}, ${requestId}, false, now(), ${env.uid || null}, now(), ${env.uid || null})
    returning id`;
}

function signalsOf({ model }: Change): readonly SignalName[] {
  const name = signalOf.get(model);
  return name === undefined ? [] : [name];
}

function valuesJson(env: Env, change: Change): string {
  const { fields } = env.registry.model(change.model);
  const open = Object.entries(change.values).filter(([name]) => !fields.get(name)?.spec.secret);
  return toJson(Object.fromEntries(open));
}

/** Few records are told one by one; of many, those that are told alike share rows of the outbox, which readers take apart. */
const manyRecords = 100;
const idsOfRow = 500;

function changeEvents(changes: readonly Change[]): readonly OutboxEvent[] {
  if (changes.length < manyRecords) return changes.map((change) => eventOf(change, { id: change.id }));
  const alike = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.operation} ${change.model} ${change.companyId}`;
    const own = alike.get(key);
    if (own) own.push(change);
    else alike.set(key, [change]);
  }
  return [...alike.values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / idsOfRow) }, (_, at) => {
      const some = own.slice(at * idsOfRow, (at + 1) * idsOfRow);
      return eventOf(some[0] as Change, { ids: some.map(({ id }) => id) });
    }),
  );
}

function eventOf(
  { operation, model, companyId }: Change,
  which: { readonly id: number } | { readonly ids: readonly number[] },
): OutboxEvent {
  return { channel: channels[operation], payload: { model, ...which }, model, companyId };
}

/** A record that was created and then written in one transaction is one event. */
function distinctChanges(changes: readonly Change[]): readonly Change[] {
  const seen = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.model},${change.id}`;
    const earlier = seen.get(key);
    if (!earlier || change.operation === 'unlink') seen.set(key, change);
  }
  return [...seen.values()];
}
