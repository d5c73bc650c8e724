import { KontorError } from '@kontor/protocol';

export interface MigrationPlace {
  readonly addon: string;
  readonly file: string;
  readonly line?: number;
}

/** A mistake in a migration, for the person who installs it: which addon, file and line, and what is wrong. */
export function migrationError(place: MigrationPlace, message: string, cause?: unknown): KontorError {
  const line = place.line === undefined ? '' : `:${place.line}`;
  const error = new KontorError('USER_ERROR', `${place.addon}: ${place.file}${line}: ${message}`, { ...place });
  if (cause !== undefined) error.cause = cause;
  return error;
}
