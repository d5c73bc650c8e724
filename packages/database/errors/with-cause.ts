/** Keeps the original for logs and retries. Hidden from enumeration: its `detail` quotes record values. */
export function withCause<E extends Error>(error: E, cause: unknown): E {
  Object.defineProperty(error, 'cause', { value: cause, enumerable: false, configurable: true, writable: true });
  return error;
}
