import { toJson } from '@kontor/orm';
import { type ErrorCode, errorCatalogue, KontorError } from '@kontor/protocol';

/** The one place that shapes answers of the RPC envelope. `result` is JSON text. */
export function okEnvelope(result: string): string {
  return `{"ok":true,"result":${result},"error":null}`;
}

export function errorEnvelope(error: KontorError): string {
  const { code, message, details } = error;
  return toJson({ ok: false, result: null, error: { code, message, details } });
}

/** What a caller may see of a failure; anything unexpected says only under which id it was logged. */
export function toCallerError(error: unknown, requestId: string): KontorError {
  if (error instanceof KontorError) return error;
  const known = fromFramework(error);
  return known ?? new KontorError('INTERNAL_ERROR', undefined, { request_id: requestId });
}

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'INVALID_JSON',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'INVALID_JSON',
  FST_ERR_BAD_URL: 'INVALID_ARGS',
  ECONNRESET: 'INVALID_JSON',
};

function fromFramework(error: unknown): KontorError | null {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  const mapped = Object.hasOwn(frameworkCodes, code) ? frameworkCodes[code] : undefined;
  return mapped ? new KontorError(mapped, errorCatalogue[mapped].message) : null;
}
