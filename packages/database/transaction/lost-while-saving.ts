import { KontorError } from '@kontor/protocol';
import { withCause } from '../errors/with-cause.ts';

/** The connection broke after COMMIT was sent: nobody here can tell whether it arrived. */
export function lostWhileSaving(error: unknown): Error {
  const unknown = new KontorError(
    'UNAVAILABLE',
    'The connection to the database was lost while saving. Check whether the change arrived before you repeat it.',
  );
  return withCause(unknown, error);
}
