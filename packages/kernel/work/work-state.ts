import type { Queryable, Transaction } from '@kontor/database';
import type { Env, typedEnv, UnitOfWork } from '@kontor/orm';
import { invalidArgs, KontorError, UserError } from '@kontor/protocol';
import type { Config } from '../config.ts';
import type { OutboxEvent, Purpose } from './keep-rows.ts';
import type { SideWork } from './side-work.ts';

/** The state of a unit of work besides its changes. */
export interface WorkState {
  readonly config: Config;
  /** Notes for this process after the commit, such as that mail is waiting. */
  readonly notes: Set<string>;
  /** Everything is rolled back at the end. */
  readonly isDryRun: boolean;
  /** The caller's IP address, if known. */
  readonly address: string | null;
  /** Their session or key. */
  readonly via: string | null;
  /** It is a key with a scope; server code that it starts has none. */
  readonly hasScope: boolean;
  readonly purpose: Purpose;
  readonly requestId: string | null;
  /** What the caller is told although the work was committed. */
  refusal: KontorError | null;
  /** Runs once the transaction is committed, before the caller is answered. */
  readonly after: AfterCommit[];
  /** What an agent's call says to people, for the person who approves it. */
  readonly said: Said[];
  /** While its transaction is open: external systems must not be waited for. */
  isOpen: boolean;
  /** The answer contains a secret: it is returned once and not stored. */
  tellsSecret: boolean;
  /** What must be visible before the end, or after a failure. */
  readonly side: SideWork;
  /**
   * Stores the changes so far and drops them, so that long work does not hold all of them until its end. Observers have
   * seen them by then. Not inside a savepoint.
   */
  readonly keepSoFar: () => Promise<void>;
}

/**
 * One e-mail, message or notice, as those read it who get it.
 * ```ts
 * export const letter: Said = { kind: 'message', to: ['Ada'], subject: 'Letter', body: 'Here it is.', files: [] };
 * ```
 */
export interface Said {
  readonly kind: 'mail' | 'message' | 'notice';
  /** Addresses; empty for a message, which is on a record. */
  readonly to: readonly string[];
  /** Users, by id. */
  readonly people?: readonly number[];
  /** The address that answers go to. */
  readonly answersTo?: string;
  readonly about?: { readonly model: string; readonly id: number };
  readonly subject: string;
  readonly body: string;
  readonly isHtml?: boolean;
  /** Names of files. */
  readonly files: readonly string[];
}

const stateKey = 'kernel.state';
const eventsKey = 'kernel.events';

type Given = Omit<WorkState, 'notes' | 'refusal' | 'after' | 'said' | 'isOpen' | 'tellsSecret'>;

export function openState(work: UnitOfWork, given: Given): WorkState {
  const fresh = { notes: new Set<string>(), refusal: null, after: [], said: [], isOpen: true, tellsSecret: false };
  const state: WorkState = { ...given, ...fresh };
  work.memo.set(stateKey, state);
  return state;
}

/** A separate unit of work, as the caller and with their rights. */
export type AfterCommit = (transact: <T>(work: (env: TypedEnv) => Promise<T>) => Promise<T>) => Promise<void>;
type TypedEnv = ReturnType<typeof typedEnv>;

/**
 * Does something after the commit of the running call and before its caller is answered: what waits for others, such as a request to
 * another server, must not hold a transaction meanwhile. A dry run does nothing of it. What it throws the caller is told.
 * ```ts
 * export function ping(env: Env, url: string) {
 *   const request = outsideRequests(env);
 *   afterCommit(env, async (transact) => {
 *     const { kind } = await request({ url });
 *     await transact((later) => publish(later, 'door.pinged', { kind }));
 *   });
 * }
 * ```
 */
export function afterCommit({ work }: Pick<Env, 'work'>, run: AfterCommit): void {
  const state = workState(work);
  if (!state) throw new Error('There is no unit of work to wait for.');
  if (!state.isDryRun) state.after.push(run);
}

/**
 * Says that the answer of the running call holds a secret that is told once: it cannot be tried out, it is not undone, and a call
 * that is repeated with its Idempotency-Key is not told it again. Agents and keys with a scope are refused, as by `refuseLimitedKey`.
 * ```ts
 * export function giveCode(env: Env, title: string) {
 *   tellSecret(env);
 *   return openPath(`/web/door#code=${title}`);
 * }
 * ```
 */
export function tellSecret(env: Pick<Env, 'work'>): void {
  refuseLimitedKey(env);
  const { work } = env;
  const state = workState(work);
  if (state?.isDryRun) throw new UserError('Calls that return a secret have no dry run.');
  work.keepFromUndo();
  if (state) state.tellsSecret = true;
}

/**
 * Refuses agents and API keys with a scope, for what opens more to them than they may read or do, such as access for a third party.
 * ```ts
 * export function openDoor(env: Env, title: string) {
 *   refuseLimitedKey(env);
 *   return openPath(`/web/door/${title}`);
 * }
 * ```
 */
export function refuseLimitedKey({ work }: Pick<Env, 'work'>): void {
  const { hasScope = false, purpose } = workState(work) ?? {};
  if (!hasScope && !purpose?.agent) return;
  throw new KontorError(
    'ACCESS_DENIED',
    'Agents and API keys with a scope cannot do this: it opens more than they may. A person has to do it.',
    { operation: 'call', layer: 'model' },
  );
}

/** The caller gets the error, but the writes are kept: a failed attempt must be recorded. */
export function refuseAfterCommit({ work }: Pick<Env, 'work'>, error: KontorError): void {
  const state = workState(work);
  if (!state || state.isDryRun) throw error;
  state.refusal = error;
}

/** Null outside a unit of work: during an install, and while only reading. */
export function workState(work: UnitOfWork): WorkState | null {
  return (work.memo.get(stateKey) as WorkState | undefined) ?? null;
}

/**
 * The name of the agent that acts for the user; null for the user, a program or the server. Store it beside the user in records of
 * who did something.
 * ```ts
 * export function lender(env: Env, name: string) {
 *   const agent = agentOf(env);
 *   return agent === null ? name : `${agent} for ${name}`;
 * }
 * ```
 */
export function agentOf({ work }: Pick<Env, 'work'>): string | null {
  return workState(work)?.purpose.agent ?? null;
}

/**
 * Keeps what the running call says to people, if an agent makes it: who approves the call sees and approves it too. `queueMail` and
 * `notify` do it themselves.
 * ```ts
 * export function tellByLetter(env: Env, to: string, body: string) {
 *   noteSaid(env, { kind: 'message', to: [to], subject: 'Letter', body, files: [] });
 * }
 * ```
 */
export function noteSaid({ work }: Pick<Env, 'work'>, said: Said): void {
  const state = workState(work);
  if (state?.purpose.agent) state.said.push(said);
}

/**
 * The network address of the request that is being answered; null for jobs and the server itself. Store it where it is evidence.
 * ```ts
 * export function signedFrom(env: Env) {
 *   return callerAddress(env) ?? 'the office';
 * }
 * ```
 */
export function callerAddress({ work }: Pick<Env, 'work'>): string | null {
  return workState(work)?.address ?? null;
}

/** Events are collected in the list and written at the end, also during an install. */
export function openEvents(work: UnitOfWork, events: OutboxEvent[]): void {
  work.memo.set(eventsKey, events);
}

/** Null while only reading. */
export function workEvents(work: UnitOfWork): OutboxEvent[] | null {
  return (work.memo.get(eventsKey) as OutboxEvent[] | undefined) ?? null;
}

/**
 * Work that may fail without failing the rest of its transaction: its rows, changes and events are rolled back.
 * ```ts
 * export async function addIfAllowed(env: Env) {
 *   return inSavepoint(env, () => env.model('core.partner').create({ name: 'Guest' })).catch(() => null);
 * }
 * ```
 */
export async function inSavepoint<T>(env: Pick<Env, 'db' | 'work'>, work: () => Promise<T>): Promise<T> {
  const changes = env.work.changes.length;
  const events = workEvents(env.work);
  const eventCount = events?.length ?? 0;
  const notes = workState(env.work)?.notes;
  const known = new Set(notes);
  const after = workState(env.work)?.after;
  const afterCount = after?.length ?? 0;
  const said = workState(env.work)?.said;
  const saidCount = said?.length ?? 0;
  try {
    return await transactionOf(env.db).savepoint(work);
  } catch (error) {
    env.work.rewind(changes);
    if (events) events.length = eventCount;
    for (const note of notes ?? []) if (!known.has(note)) notes?.delete(note);
    if (after) after.length = afterCount;
    if (said) said.length = saidCount;
    throw error;
  }
}

function transactionOf(db: Queryable): Transaction {
  if ('savepoint' in db) return db as Transaction;
  throw new Error('There is no transaction to take something back in.');
}

/** Messages between servers through the outbox; never sent to a client. */
export const innerChannels = { session: 'session.changed', presence: 'presence.changed' } as const;

/** Tells clients that events may have been missed: they reload what they show. */
export const gapChannel = 'bus.gap';

const channelPattern = /^[a-z][a-z0-9_-]*(\.[a-z0-9_-]+)*$/;
const reserved: ReadonlySet<string> = new Set([
  ...Object.values(innerChannels),
  gapChannel,
  'record.created',
  'record.updated',
  'record.deleted',
  'presence',
]);

/**
 * Publishes a message on a channel of the bus after the commit. Send ids and names, never values of a record: everyone who may read
 * `model` in that company receives it, and every signed-in user if no model is named.
 * ```ts
 * export async function tellShipped(env: Env, orderId: number) {
 *   await publish(env, 'order.shipped', { model: 'sale.order', id: orderId }, { model: 'sale.order' });
 * }
 * ```
 */
export async function publish(
  env: Pick<Env, 'work'>,
  channel: string,
  payload: OutboxEvent['payload'],
  audience: Pick<OutboxEvent, 'model' | 'companyId' | 'userId'> = {},
): Promise<void> {
  if (channel.length > 128 || !channelPattern.test(channel)) {
    throw invalidArgs(`"${channel.slice(0, 80)}" is not a channel such as order.shipped.`);
  }
  if (reserved.has(channel)) throw invalidArgs(`The channel ${channel} is the server's own.`);
  addEvent(env, { channel, payload, ...audience });
}

/** The same on any channel, for the parts. */
export function addEvent({ work }: Pick<Env, 'work'>, event: OutboxEvent): void {
  const events = workEvents(work);
  if (!events) throw new Error('Events are published in a unit of work, not while only reading.');
  events.push(event);
}
