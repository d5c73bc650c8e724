import { KontorError } from '@kontor/protocol';
import type { Place } from './view-node.ts';

/** A mistake in a view: names the addon, file and line, and suggests a correction. */
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

/** Part of a view that cannot be checked, because the definition of its field is wrong. Not reported: the definition is. */
export class UncheckedView extends ViewError {
  constructor(place: Place) {
    super(place, 'The definition of its field is wrong.');
  }
}

/** Collects mistakes; without one, the first mistake is thrown. */
export type ReportProblem = (error: ViewError) => void;

/** Runs one check. With a collector, the next one runs even after a mistake. */
export function attempt(report: ReportProblem | undefined, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!report || !(error instanceof ViewError)) throw error;
    if (!(error instanceof UncheckedView)) report(error);
  }
}
