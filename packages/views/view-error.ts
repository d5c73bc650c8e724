import { KontorError } from '@kontor/protocol';
import type { Place } from './view-node.ts';

/** A mistake in a view: says which addon, file and line, and what was probably meant. */
export class ViewError extends KontorError {
  readonly place: Place;
  /** The message without the place in front of it. */
  readonly problem: string;
  readonly hint: string;

  constructor(place: Place, problem: string, given = '') {
    const hint = given.trim();
    const text = `${place.addon}: ${place.file}:${place.line}: ${problem}${hint ? ` ${hint}` : ''}`;
    super('USER_ERROR', text, { ...place, ...(hint && { hint }) });
    this.name = 'ViewError';
    this.place = place;
    this.problem = problem;
    this.hint = hint;
  }
}

/** Who is told of mistakes; without one, the first is thrown. */
export type ReportProblem = (error: ViewError) => void;

/** Runs one check. With somebody to tell, the next one follows after a mistake too. */
export function attempt(report: ReportProblem | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!report || !(error instanceof ViewError)) throw error;
    report(error);
  }
}
