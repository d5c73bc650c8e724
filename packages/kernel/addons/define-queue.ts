import type { TypedEnv } from '@kontor/orm';
import type { Domain } from '@kontor/protocol';

/**
 * A row that a process has claimed.
 * ```ts
 * export const firstTry: QueueRow = { id: 1, attempts: 1 };
 * ```
 */
export interface QueueRow {
  readonly id: number;
  /** Tries so far, this one included. */
  readonly attempts: number;
}

/**
 * The outcome of a row.
 * ```ts
 * export const inTheNewYear: QueueEnd = { is: 'again', at: new Date('2030-01-01T00:00:00Z'), error: 'The printer is away.' };
 * ```
 */
export interface QueueEnd {
  /**
   * `again`: it is retried later, or given up after its last try. `left`: as if it had not been claimed; `due` must then exclude it
   * while it waits.
   */
  readonly is: 'done' | 'again' | 'dead' | 'left';
  /** When it is retried; default: after `tries.waitMs`. */
  readonly at?: Date;
  /** The error message, for `last_error`. */
  readonly error?: string;
  /** The state to store instead of the usual one. */
  readonly state?: string;
}

/** The names of the stages in the field `state` of a queue's model. */
export interface QueueStates {
  readonly waiting: string;
  /** While a process works on it; absent: the state does not change. */
  readonly running?: string;
  /** After a failed try. */
  readonly again: string;
  readonly done: string;
  readonly dead: string;
}

export interface QueueRoom {
  /** Rows that one process works on at a time. */
  readonly perProcess: number;
  /** Rows that all processes together work on at a time. */
  readonly inAll?: number;
  /** Limits for rows with the same value of a field, such as one receiver. */
  readonly targets?: readonly QueueTarget[];
}

export interface QueueTarget {
  /** The field whose values have separate limits. */
  readonly field: string;
  /** The limit, or a function that returns the limit for a value of the field, as text. */
  readonly most: number | ((env: TypedEnv, value: string) => Promise<number>);
}

export interface QueueTries {
  /** A row is given up after this number of tries. A try counts when the row is claimed, so a crash counts too. */
  readonly most: number;
  /** A row is also given up if it fails this long after its first try; requires the field `first_try`. */
  readonly withinMs?: number;
  /** The pause after the nth try. */
  waitMs(attempt: number): number;
}

export interface QueueHandover {
  readonly field: string;
  readonly unclear: string;
}

/** See `defineQueue`. */
export interface QueueSpec<Work, Outcome> {
  /** Unique in its addon. */
  readonly name: string;
  /** The model whose records wait; its fields include `queueFields`. */
  readonly model: string;
  /** For a model whose states have other names than those of `queueFields`. */
  readonly states?: QueueStates;
  /** A domain for due rows, in addition to their time and lease; null: none now. Default: all. */
  readonly due?: (env: TypedEnv) => Promise<Domain | null>;
  /** Fields that define an order: among rows with equal values only the oldest open one is due. */
  readonly orderKey?: readonly string[];
  /** Limits for rows worked on at a time; default: four per process. */
  readonly room?: QueueRoom;
  /** The time after which a crash is noticed; default: 30. The lease is extended while the work runs. */
  readonly leaseSeconds?: number;
  /** Default: twelve tries, with pauses from a minute to four hours. */
  readonly tries?: QueueTries;
  /**
   * For work that must not be done twice. `run` sets the datetime `field` before it hands the work over; a row whose process
   * dies after that gets the state `unclear` and is not tried again by itself. A failed try empties the field.
   */
  readonly handover?: QueueHandover;
  /** Reads what the work needs, in a separate transaction. */
  readonly prepare: (env: TypedEnv, row: QueueRow) => Promise<{ readonly work: Work } | QueueEnd>;
  /** Does the work, outside any transaction. An exception is a failed try; the result is ignored once `signal` is aborted. */
  readonly run: (work: Work, signal: AbortSignal) => Promise<Outcome>;
  /** Returns the outcome of the row and may write other records, in the transaction that ends the claim. Default: done. */
  readonly end?: (env: TypedEnv, row: QueueRow, outcome: Outcome) => Promise<QueueEnd>;
}

/**
 * A queue, for `queues` of `defineAddon`.
 * ```ts
 * export const idle: Queue = defineQueue({
 *   ...{ name: 'idle', model: 'library.label' },
 *   prepare: async () => ({ is: 'left' }),
 *   run: async () => {},
 * });
 * ```
 */
export interface Queue extends Required<Omit<QueueSpec<unknown, unknown>, 'handover'>> {
  readonly kind: 'queue';
  readonly handover?: QueueHandover;
}

const minuteMs = 60_000;

const usual = {
  states: { waiting: 'waiting', running: 'running', again: 'waiting', done: 'done', dead: 'dead' },
  due: async () => [],
  orderKey: [],
  room: { perProcess: 4 },
  leaseSeconds: 30,
  tries: { most: 12, waitMs: (attempt: number) => Math.min(240 * minuteMs, minuteMs * 2 ** (attempt - 1)) },
  end: async () => ({ is: 'done' }) as const,
} satisfies Partial<QueueSpec<unknown, unknown>>;

/**
 * Work that waits in records until it is done: claimed by one process at a time, retried after failures and crashes, and given up
 * after its last try. Processes that run jobs look for due records soon after every change and every few seconds.
 *
 * @example
 * const pushLabels = defineQueue({
 *   name: 'labels',
 *   model: 'library.label',
 *   prepare: async (env, { id }) => {
 *     const [label] = await env.model('core.partner').read([id], ['name']);
 *     return label ? { work: { request: outsideRequests(env), body: label.name } } : { is: 'done' };
 *   },
 *   run: async ({ request, body }, signal) => request({ url: 'https://printer.example.com/labels', body, signal }),
 *   end: async (_env, _row, result) => (result.kind === 'answer' && result.status < 300 ? { is: 'done' } : { is: 'again' }),
 * });
 */
export function defineQueue<Work, Outcome = void>(spec: QueueSpec<Work, Outcome>): Queue {
  // Work and outcome are private to the queue: no other code creates or reads them.
  return Object.freeze({ kind: 'queue' as const, ...usual, ...(spec as unknown as QueueSpec<unknown, unknown>) });
}
