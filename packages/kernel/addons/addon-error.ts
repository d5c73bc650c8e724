import { KontorError } from '@kontor/protocol';

/** Where in an addon something is written. */
export interface Place {
  readonly addon: string;
  /** Path inside the addon's folder, or the manifest's path where there is no addon yet. */
  readonly file?: string;
  readonly line?: number;
}

/** A mistake in an addon: says which addon, file and line, and what was probably meant. */
export class AddonError extends KontorError {
  readonly place: Place;
  /** The message without the place in front of it. */
  readonly problem: string;
  readonly hint: string;
  /** Further mistakes that were found with it. */
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

/** Who is told of mistakes; without one, the first is thrown. */
export type ReportMistake = (error: AddonError) => void;

/** Runs one step. With somebody to tell, the next one follows after a mistake too; its value is then the given one. */
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

/** What a value or a rule refused, with its place put in front. A failure of the server itself stays what it is. */
export function atPlace(place: Place, error: unknown): unknown {
  if (error instanceof AddonError || !(error instanceof KontorError) || error.status >= 500) return error;
  const located = new AddonError(place, error.message);
  located.cause = error;
  return located;
}
