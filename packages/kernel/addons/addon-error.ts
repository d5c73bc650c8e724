import { KontorError } from '@kontor/protocol';

/** A position in an addon's source. */
export interface Place {
  readonly addon: string;
  /** Path inside the addon's folder, or the manifest's path if there is no addon yet. */
  readonly file?: string;
  readonly line?: number;
}

/** A mistake in an addon: names the addon, file and line, and suggests a correction. */
export class AddonError extends KontorError {
  readonly place: Place;
  /** The message without its position. */
  readonly problem: string;
  readonly hint: string;
  /** Additional mistakes that were found with it. */
  also: readonly AddonError[] = [];

  constructor(place: Place, message: string, given = '') {
    const hint = given.trim();
    const where = [place.file, place.line].filter((part) => part !== undefined).join(':');
    const text = `${place.addon}: ${where === '' ? '' : `${where}: `}${message}${hint ? ` ${hint}` : ''}`;
    super('USER_ERROR', text, { ...place, ...(hint && { hint }) });
    this.name = 'AddonError';
    this.place = place;
    this.problem = message;
    this.hint = hint;
  }
}

/** Collects mistakes; without one, the first mistake is thrown. */
export type ReportMistake = (error: AddonError) => void;

/** Runs one step. With a collector, the next step runs even after a mistake; the step then returns the given value. */
export function attempt<T>(report: ReportMistake | undefined, otherwise: T, step: () => T): T {
  if (!report) return step();
  try {
    return step();
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    report(error);
    return otherwise;
  }
}

/** The error of a value or a rule, prefixed with its place. A failure of the server itself is passed on unchanged. */
export function atPlace(place: Place, error: unknown): unknown {
  if (error instanceof AddonError || !(error instanceof KontorError) || error.status >= 500) return error;
  const located = new AddonError(place, error.message);
  located.cause = error;
  return located;
}
