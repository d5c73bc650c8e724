import type { ComputeSpec } from './behaviour.ts';

/** The paths that a compute reads; for an aggregate, the path of its lines. None if it says neither, which is reported with the model. */
export function computeDepends(compute: ComputeSpec): readonly string[] {
  if ('value' in compute) return Array.isArray(compute.depends) ? compute.depends : [];
  const { path } = aggregateOf(compute);
  return typeof path === 'string' ? [path] : [];
}

/** The fields of the record itself at which the paths of a compute start. */
export function firstSteps(compute: ComputeSpec): ReadonlySet<string> {
  return new Set(computeDepends(compute).map((path) => path.split('.', 1)[0] as string));
}

export type AggregateFunction = 'sum' | 'count' | 'min' | 'max';

export function isAggregate(compute: ComputeSpec): compute is Exclude<ComputeSpec, { depends: readonly string[] }> {
  return !('value' in compute);
}

/** `{ sum: 'line_ids.subtotal' }` as function and path. */
export function aggregateOf(compute: Exclude<ComputeSpec, { depends: readonly string[] }>): {
  readonly measure: AggregateFunction;
  readonly path: string;
} {
  const { asServer: _, below: __, ...aggregate } = compute;
  const [measure, path] = (Object.entries(aggregate)[0] ?? []) as [AggregateFunction, string];
  return { measure, path };
}
