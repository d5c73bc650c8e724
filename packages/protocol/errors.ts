import { inEnglish, Text, type Translate, text, type Words } from './text.ts';

/** Every error a caller can meet: its code on the wire and the HTTP status that carries it. */
export const errorCatalogue = {
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  INVALID_ARGS: { status: 400, message: 'The arguments do not fit the method.' },
  UNAUTHORIZED: { status: 401, message: 'Sign in or send an API key.' },
  CSRF_INVALID: { status: 403, message: 'The CSRF token is missing or wrong. Reload the page and try again.' },
  ACCESS_DENIED: { status: 403, message: 'You may not do this.' },
  METHOD_NOT_ALLOWED: { status: 403, message: 'This method is not served.' },
  MODEL_NOT_FOUND: { status: 404, message: 'There is no such model.' },
  NOT_FOUND: { status: 404, message: 'The record does not exist.' },
  ACTION_NOT_FOUND: { status: 404, message: 'The model has no such action.' },
  CONFLICT: { status: 409, message: 'Someone else changed this in the meantime.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send application/json.' },
  VALIDATION_ERROR: { status: 422, message: 'Some values are not valid.' },
  USER_ERROR: { status: 422, message: 'This is not possible.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again shortly.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on the server.' },
  NOT_INITIALISED: { status: 503, message: 'The database is not initialised. Open /setup.' },
  UNAVAILABLE: { status: 503, message: 'The service is not available right now.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The only error type that reaches a caller; any other becomes INTERNAL_ERROR.
 * ```ts
 * export function checkFound(found: number) {
 *   if (found === 0) throw new KontorError('NOT_FOUND', 'There is no such parcel.');
 * }
 * ```
 */
export class KontorError extends Error {
  readonly code: ErrorCode;
  /** In English; `translated` returns them in the reader's language. */
  readonly details: ErrorDetails;
  readonly #words: Words;
  readonly #details: ErrorDetails;

  constructor(code: ErrorCode, message?: Words, details: ErrorDetails = {}) {
    const words = message ?? errorCatalogue[code].message;
    super(inEnglish(words));
    this.name = 'KontorError';
    this.code = code;
    this.#words = words;
    this.#details = details;
    this.details = translated(details, inEnglish) as ErrorDetails;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  /** The message before translation. */
  get words(): Words {
    return this.#words;
  }

  /** The details before translation. */
  get wordedDetails(): ErrorDetails {
    return this.#details;
  }

  /** The same error in another language; code and values stay. */
  translated(translate: Translate): KontorError {
    return new KontorError(this.code, translate(this.#words), translated(this.#details, translate) as ErrorDetails);
  }
}

/**
 * A business rule was violated; the message is shown to the user.
 * ```ts
 * export function checkOpen(state: string) {
 *   if (state !== 'open') throw new UserError('This ticket is closed.');
 * }
 * ```
 */
export class UserError extends KontorError {
  constructor(message: Words, details: ErrorDetails = {}) {
    super('USER_ERROR', message, details);
    this.name = 'UserError';
  }
}

/**
 * Messages by field name, for invalid values.
 * ```ts
 * export function checkEmail(email: string) {
 *   if (!email.includes('@')) throw new ValidationError({ email: ['Enter an e-mail address.'] });
 * }
 * ```
 */
export class ValidationError extends KontorError {
  constructor(fields: Readonly<Record<string, readonly Words[]>>, message?: Words) {
    super('VALIDATION_ERROR', message ?? firstMessage(fields), { fields });
    this.name = 'ValidationError';
  }
}

export function invalidArgs(message: Words, details: ErrorDetails = {}): KontorError {
  return new KontorError('INVALID_ARGS', message, details);
}

export type AccessLayer = 'model' | 'rule' | 'field';
export type Operation = 'read' | 'write' | 'create' | 'unlink';

const operationRefusals: Readonly<Record<Operation, (model: string) => Text>> = {
  read: (model) => text('You may not read {model}.', { model }),
  write: (model) => text('You may not change {model}.', { model }),
  create: (model) => text('You may not create {model}.', { model }),
  unlink: (model) => text('You may not delete {model}.', { model }),
};

export function accessDenied(
  model: string,
  operation: Operation,
  layer: AccessLayer,
  why: ErrorDetails & { message?: Words } = {},
): KontorError {
  const { message, ...rest } = why;
  return new KontorError('ACCESS_DENIED', message ?? operationRefusals[operation](model), {
    model,
    operation,
    layer,
    ...rest,
  });
}

function firstMessage(fields: Readonly<Record<string, readonly Words[]>>): Words | undefined {
  for (const [name, messages] of Object.entries(fields)) {
    if (messages[0]) return atField(name, messages[0]);
  }
  return undefined;
}

/** A message prefixed with its subject. */
export function atField(label: string, message: Words): Text {
  return text('{label}: {message}', { label, message: message instanceof Text ? message : text(message) });
}

/** Translates every text inside; anything else stays. Messages at fields are translated with or without values. */
function translated(value: unknown, translate: Translate): unknown {
  if (value instanceof Text) return translate(value);
  if (Array.isArray(value)) return value.some(mayHoldText) ? value.map((each) => translated(each, translate)) : value;
  if (!isPlain(value)) return value;
  const members = Object.entries(value);
  if (!members.some(([, member]) => mayHoldText(member))) return value;
  return Object.fromEntries(
    members.map(([name, member]) => [
      name,
      name === 'fields' && isPlain(member) ? translatedFields(member, translate) : translated(member, translate),
    ]),
  );
}

function translatedFields(fields: Readonly<Record<string, unknown>>, translate: Translate): unknown {
  const messages = Object.entries(fields).map(([name, list]) => [
    name,
    Array.isArray(list)
      ? list.map((each) => (typeof each === 'string' ? translate(each) : translated(each, translate)))
      : list,
  ]);
  return Object.fromEntries(messages);
}

function mayHoldText(value: unknown): boolean {
  return value instanceof Text || Array.isArray(value) || isPlain(value);
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
