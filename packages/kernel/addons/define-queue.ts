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
 * What becomes of a row.
 * ```ts
 * export const inTheNewYear: QueueEnd = { is: 'again', at: new Date('2030-01-01T00:00:00Z'), error: 'The printer is away.' };
 * ```
 */
export interface QueueEnd {
  /**
   * `again`: it is tried later, or given up once its tries are used up. `left`: as if it had not been claimed; what it waits for must
   * keep it from being due.
   */
  readonly is: 'done' | 'again' | 'dead' | 'left';
  /** When it is tried again; by `tries.waitMs` when absent. */
  readonly at?: Date;
  /** What went wrong, for `last_error`. */
  readonly error?: string;
  /** The state to store instead of the usual one. */
  readonly state?: string;
}

/** How the field `state` of a queue's model calls each stage. */
export interface QueueStates {
  readonly waiting: string;
  /** While a process works on it; absent: the state stays as it is. */
  readonly running?: string;
  /** After a try that failed. */
  readonly again: string;
  readonly done: string;
  readonly dead: string;
}

export interface QueueRoom {
  /** Rows that one process works on at a time. */
  readonly perProcess: number;
  /** Rows that all processes together work on at a time. */
  readonly inAll?: number;
  /** The same for rows with an equal value of a field, such as those for one receiver. */
  readonly targets?: readonly QueueTarget[];
}

export interface QueueTarget {
  /** The field whose equal values share the limit. */
  readonly field: string;
  /** The limit, or how to find it for a value of the field, which is given as text. */
  readonly most: number | ((env: TypedEnv, value: string) => Promise<number>);
}

export interface QueueTries {
  /** A row is given up after so many tries. A try counts when the row is claimed, so a crash counts too. */
  readonly most: number;
  /** It is also given up when it fails so long after its first try; needs the field `first_try`. */
  readonly withinMs?: number;
  /** How long it waits after its nth try. */
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
  /** For a model that calls its states otherwise than `queueFields` does. */
  readonly states?: QueueStates;
  /** Which rows are due, besides their time and lease; null: none now. All when absent. */
  readonly due?: (env: TypedEnv) => Promise<Domain | null>;
  /** Fields by which rows follow each other: of equal ones only the oldest open row is due. */
  readonly orderKey?: readonly string[];
  /** How many rows are worked on at a time; four in a process when absent. */
  readonly room?: QueueRoom;
  /** A crash is noticed after so long; 30 when absent. The lease is extended while the work runs. */
  readonly leaseSeconds?: number;
  /** Twelve tries, from a minute up to four hours apart, when absent. */
  readonly tries?: QueueTries;
  /**
   * For work that must not be done twice. `run` sets the datetime `field` before it hands the work over; a row whose process
   * dies after that gets the state `unclear` and is not tried again by itself. A failed try empties the field.
   */
  readonly handover?: QueueHandover;
  /** Reads what the work needs, in a transaction of its own. */
  readonly prepare: (env: TypedEnv, row: QueueRow) => Promise<{ readonly work: Work } | QueueEnd>;
  /** Does the work, outside any transaction. What it throws is a failed try; nothing counts once `signal` is aborted. */
  readonly run: (work: Work, signal: AbortSignal) => Promise<Outcome>;
  /** Says what becomes of the row and may write more, in the transaction that ends the claim. Done when absent. */
  readonly end?: (env: TypedEnv, row: QueueRow, outcome: Outcome) => Promise<QueueEnd>;
}

/**
 * A queue as `defineAddon` takes it.
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
 * Work that waits in records until it is done: claimed by one process at a time, tried again after failures and crashes, and given up
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
  // Work and outcome are the queue's own matter: nobody else makes or reads them.
  return Object.freeze({ kind: 'queue' as const, ...usual, ...(spec as unknown as QueueSpec<unknown, unknown>) });
}
