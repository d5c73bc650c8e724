import type { Step } from './step.ts';

/** The fields of its own record that an automation sets. */
export function stepFields(steps: readonly Step[]): readonly string[] {
  const names = steps.flatMap((step) =>
    step.do === 'set' ? Object.keys(step.values) : step.do === 'assign' ? [step.field] : [],
  );
  return [...new Set(names)];
}
