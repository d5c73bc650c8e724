import type { ErrorCode, FieldConflict, RecordChange } from '@kontor/protocol';

/** The server's description of a rejected call. */
export interface Refusal {
  /** `NETWORK` and `HELD` are the client's own. */
  readonly code: ErrorCode | 'NETWORK' | 'HELD';
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** 0: no answer. */
  readonly status: number;
  /** The server's log has details under this id. */
  readonly requestId: string | null;
}

/** A rejected call. Each code that a program may want to distinguish has its own class. */
export class RpcError extends Error {
  readonly code: Refusal['code'];
  readonly details: Refusal['details'];
  readonly status: number;
  readonly requestId: string | null;

  constructor({ code, message, details, status, requestId }: Refusal, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.details = details;
    this.status = status;
    this.requestId = requestId;
  }
}

/** The arguments do not fit the method: a mistake in the program. */
export class InvalidArgsError extends RpcError {}
/** No key or session, or an expired one. */
export class UnauthorizedError extends RpcError {}
export class AccessDeniedError extends RpcError {
  get model(): string | undefined {
    return this.details.model as string | undefined;
  }
  /** The layer that rejected it: access rights to the model, a record rule, or the groups of a field. */
  get layer(): 'model' | 'rule' | 'field' | undefined {
    return this.details.layer as 'model' | 'rule' | 'field' | undefined;
  }
}
/** A record, model or action that does not exist, or that the caller may not see. */
export class NotFoundError extends RpcError {
  get missingIds(): readonly number[] {
    return (this.details.missing_ids as readonly number[] | undefined) ?? [];
  }
}
/** Somebody else changed the same value in the meantime. */
export class ConflictError extends RpcError {
  /** Fields that both sides changed differently. */
  get fields(): Readonly<Record<string, FieldConflict>> {
    return (this.details.fields as Record<string, FieldConflict> | undefined) ?? {};
  }
  /** The record, if several were written. */
  get id(): number | null {
    return (this.details.id as number | undefined) ?? null;
  }
  /** For a feed cursor: it is `expired`, or belongs to another `history` of the database. Start again. */
  get reason(): string | null {
    return (this.details.reason as string | undefined) ?? null;
  }
  /** The current values of the fields in conflict. */
  get theirs(): Readonly<Record<string, unknown>> {
    return pick(this.fields, 'theirs');
  }
  /** What this call tried to set. */
  get ours(): Readonly<Record<string, unknown>> {
    return pick(this.fields, 'mine');
  }
}
/** Values that the record cannot have, by field. */
export class ValidationError extends RpcError {
  get fields(): Readonly<Record<string, readonly string[]>> {
    return (this.details.fields as Record<string, readonly string[]> | undefined) ?? {};
  }
  /** Invalid rows of a call with many, by index. */
  get rows(): readonly { readonly index: number; readonly fields: Readonly<Record<string, readonly string[]>> }[] {
    return (this.details.rows as ValidationError['rows'] | undefined) ?? [];
  }
}
/** A business rule was violated; the message is for the user. */
export class UserError extends RpcError {}
export class RateLimitedError extends RpcError {
  get retryAfterSeconds(): number {
    return Number(this.details.retry_after ?? 0);
  }
}
/** The server is starting, stopping or has no database. */
export class UnavailableError extends RpcError {}
/** Something went wrong inside the server; its log has more under `requestId`. */
export class InternalError extends RpcError {}
/** The call of an agent waits for approval: nothing has changed yet. */
export class HeldError extends RpcError {
  /** The id in `sys.proposal`, which has its state, the note of the person who decides, and the change set once it is approved. */
  get proposal(): number {
    return this.details.proposal as number;
  }
  /** What the call would change. */
  get changes(): readonly RecordChange[] {
    return this.details.changes as readonly RecordChange[];
  }
}
/** No answer, or one that is not from this server. */
export class NetworkError extends RpcError {}

const classes: Readonly<Record<Refusal['code'], typeof RpcError>> = {
  INVALID_JSON: InvalidArgsError,
  INVALID_ARGS: InvalidArgsError,
  UNAUTHORIZED: UnauthorizedError,
  CSRF_INVALID: UnauthorizedError,
  ACCESS_DENIED: AccessDeniedError,
  METHOD_NOT_ALLOWED: InvalidArgsError,
  MODEL_NOT_FOUND: NotFoundError,
  NOT_FOUND: NotFoundError,
  ACTION_NOT_FOUND: NotFoundError,
  CONFLICT: ConflictError,
  PAYLOAD_TOO_LARGE: InvalidArgsError,
  UNSUPPORTED_MEDIA_TYPE: InvalidArgsError,
  VALIDATION_ERROR: ValidationError,
  USER_ERROR: UserError,
  RATE_LIMITED: RateLimitedError,
  INTERNAL_ERROR: InternalError,
  NOT_INITIALISED: UnavailableError,
  UNAVAILABLE: UnavailableError,
  NETWORK: NetworkError,
  HELD: HeldError,
};

/** The error class of its code; an unknown code of a newer server is an RpcError. */
export function toError(refusal: Refusal, options?: ErrorOptions): RpcError {
  const known = Object.hasOwn(classes, refusal.code) ? classes[refusal.code] : RpcError;
  return new known(refusal, options);
}

function pick(fields: Readonly<Record<string, FieldConflict>>, side: 'mine' | 'theirs'): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, conflict]) => [name, conflict[side]]));
}
