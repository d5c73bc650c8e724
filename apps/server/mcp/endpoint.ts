import { randomUUID } from 'node:crypto';

/** Calls the public endpoint of a server with one key. It knows nothing else of Kontor. */
export interface Endpoint {
  call(
    model: string,
    method: string,
    args: readonly unknown[],
    kwargs?: Readonly<Record<string, unknown>>,
  ): Promise<Answer>;
}

export interface Answer {
  readonly result: unknown;
  /** Null: nothing was changed. */
  readonly changeSet: number | null;
  readonly canUndo: boolean;
}

/** A rejection, in words that an agent can act on. */
export class Refusal extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Envelope {
  readonly ok: boolean;
  readonly result: unknown;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  } | null;
}

const limitMs = 60_000;

/** `url` is the address of the server, `key` the secret of an agent's key. */
export function openEndpoint(url: string, key: string): Endpoint {
  const address = new URL('/api/rpc', url);

  async function send(body: string, once: string): Promise<Response> {
    return fetch(address, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': once },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(limitMs),
    });
  }

  return {
    async call(model, method, args, kwargs = {}) {
      const body = JSON.stringify({ model, method, args, kwargs });
      const once = randomUUID();
      // The idempotency key ensures that a call whose answer was lost is executed once.
      const response = await send(body, once)
        .catch(() => send(body, once))
        .catch((error: Error) => {
          const { code, message = error.message } = (error.cause ?? error) as { code?: string; message?: string };
          throw new Refusal('UNREACHABLE', `${address.origin} does not answer (${code ?? message}). Try again later.`);
        });
      const envelope = (await response.json().catch(() => null)) as Envelope | null;
      if (!envelope?.ok) throw toRefusal(response.status, envelope);
      if (!response.headers.has('x-agent')) throw notAnAgent();
      const changeSet = response.headers.get('x-change-set');
      return {
        result: envelope.result,
        changeSet: changeSet === null ? null : Number(changeSet),
        canUndo: response.headers.get('x-undo') !== 'no',
      };
    },
  };
}

function notAnAgent(): Refusal {
  return new Refusal(
    'NOT_AN_AGENT',
    'This key is not the key of an agent, so its changes would not be marked. Ask an administrator for a key with the name of an agent.',
  );
}

/** What to do about it, if the message alone does not say so. */
const advice: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'The key is unknown, ended or switched off. Ask the person for another one.',
  ACCESS_DENIED:
    'Do not try another way around it: tell the person what you may not do. list_models tells what you may.',
  MODEL_NOT_FOUND: 'list_models tells which models there are.',
  ACTION_NOT_FOUND: 'describe_model tells which actions there are.',
  NOT_FOUND: 'The record was deleted, or was never there. Search again.',
  CONFLICT: 'Somebody changed this meanwhile. Read it again and decide anew; do not overwrite what others did.',
  VALIDATION_ERROR: 'Correct the values that are named and try again.',
  INVALID_ARGS: 'describe_model tells names and types of fields. Correct the arguments and try again.',
  RATE_LIMITED: 'Wait before the next call.',
};

function toRefusal(status: number, envelope: Envelope | null): Refusal {
  const error = envelope?.error;
  if (!error) return new Refusal('UNREACHABLE', `The address does not answer as Kontor does (HTTP ${status}).`);
  const { fields, records, retry_after: wait, hint } = error.details ?? {};
  const more = [
    ...(fields ? [`Fields: ${JSON.stringify(fields)}`] : []),
    ...(records ? [`Records: ${JSON.stringify(records)}`] : []),
    ...(typeof hint === 'string' ? [hint] : []),
    ...(wait === undefined ? [] : [`Try again in ${String(wait)} seconds.`]),
    ...(advice[error.code] ? [advice[error.code]] : []),
  ];
  return new Refusal(error.code, [`${error.code}: ${error.message}`, ...more].join('\n').slice(0, 4_000));
}
