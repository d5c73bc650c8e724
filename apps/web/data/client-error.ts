import type { ErrorCode, ErrorDetails } from '@kontor/protocol';

/** Error codes of the server, and those that only the client has. */
type ClientErrorCode = ErrorCode | 'validation' | 'network' | 'signed_out';

/** Any failure that a screen can show. Its message is meant for users. */
export class ClientError extends Error {
  readonly code: ClientErrorCode;
  readonly details: ErrorDetails;
  readonly requestId: string;
  readonly status: number;

  constructor(
    code: ClientErrorCode,
    message: string,
    rest: { details?: ErrorDetails; requestId?: string; status?: number } = {},
  ) {
    super(message);
    this.name = 'ClientError';
    this.code = code;
    this.details = rest.details ?? {};
    this.requestId = rest.requestId ?? '';
    this.status = rest.status ?? 0;
  }

  /** Messages by field, of a rejected save. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    const { fields } = this.details;
    return this.code === 'VALIDATION_ERROR' || this.code === 'validation'
      ? ((fields ?? {}) as Record<string, readonly string[]>)
      : {};
  }
}

/** Converts any failure to a `ClientError`. */
export function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ClientError('INTERNAL_ERROR', message);
}
