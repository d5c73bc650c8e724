import type { Field } from '../model/model.ts';
import type { Concern, PlannedWrite, Steps } from './concern.ts';

/** The steps of all concerns for a write, in order. */
export interface WritePlan extends Pick<PlannedWrite, 'model' | 'operation' | 'given' | 'base' | 'fields'> {
  readonly steps: readonly PlannedSteps[];
  /** Some code may set fields that the plan does not know. */
  readonly isOpen: boolean;
}

interface PlannedSteps extends Steps {
  readonly concern: string;
}

export function makePlan(concerns: readonly Concern[], write: Omit<PlannedWrite, 'fields'>): WritePlan {
  const fields = new Set<Field>(write.given);
  const planned: PlannedWrite = { ...write, fields };
  const steps: PlannedSteps[] = [];
  for (const concern of concerns) {
    const own = concern.plan(planned);
    if (own === null) continue;
    for (const field of own.adds ?? []) fields.add(field);
    steps.push({ ...own, concern: concern.name });
  }
  // Without the env: a cached plan must not keep a transaction and its changes alive.
  const { model, operation, given, base } = write;
  return { model, operation, given, base, fields, steps, isOpen: steps.some(({ isOpen }) => isOpen === true) };
}

/** Names of the concerns that need code: if there are none, one statement does the whole write. */
export function preventsStatement({ steps }: WritePlan): readonly string[] {
  return steps.filter(({ statement }) => statement === undefined).map(({ concern }) => concern);
}
