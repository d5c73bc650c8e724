import { randomUUID } from 'node:crypto';

const visible = /^[\x21-\x7e]{1,128}$/;

/** The caller's own id when it is a sane one, else a new one. */
export function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && visible.test(given) ? given : randomUUID();
}
