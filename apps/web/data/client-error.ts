import type { ErrorCode, ErrorDetails } from '@kontor/protocol';

/** Codes of the server, and those that only the client knows. */
type ClientErrorCode = ErrorCode | 'validation' | 'network' | 'signed_out';

/** Every failure that a screen can meet. Its message is for the person. */
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

  /** Messages by field, of a refused save. */
  get fields(): Readonly<Record<string, readonly string[]>> {
    const { fields } = this.details;
    return this.code === 'VALIDATION_ERROR' || this.code === 'validation'
      ? ((fields ?? {}) as Record<string, readonly string[]>)
      : {};
  }
}

/** Any failure as a `ClientError`. */
export function toClientError(error: unknown): ClientError {
  if (error instanceof ClientError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ClientError('INTERNAL_ERROR', message);
}
