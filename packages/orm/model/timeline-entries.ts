import { fieldAtPath } from './field-at-path.ts';
import type { Model, Registry } from './model.ts';
import type { TimelineSpec } from './timeline-spec.ts';

/** Records of a model in the timeline of another. */
export interface TimelineEntry {
  /** Distinguishes entries, and orders those of the same moment. */
  readonly key: string;
  readonly kind: string;
  readonly model: Model;
  readonly spec: TimelineSpec;
}

const known = new WeakMap<Registry, ReadonlyMap<string, readonly TimelineEntry[]>>();

/**
 * What belongs to the timeline of a model's records. Entries that are about any record are part of every timeline that has others
 * too.
 */
export function timelineEntries(registry: Registry, name: string): readonly TimelineEntry[] {
  const all = known.get(registry) ?? findEntries(registry);
  known.set(registry, all);
  return all.get(name) ?? [];
}

function findEntries(registry: Registry): ReadonlyMap<string, readonly TimelineEntry[]> {
  const declared = [...registry.models.values()].flatMap((model) =>
    [...(model.timeline ?? [])].map(([kind, spec]) => ({ key: `${kind} ${model.name}`, kind, model, spec })),
  );
  const targets = declared.map(({ model, spec }) => targetOf(registry, model, spec));
  return new Map(
    targets.flatMap((target) =>
      target === null
        ? []
        : [[target, declared.filter((_, at) => [target, null].includes(targets[at] ?? null))] as const],
    ),
  );
}

function targetOf(registry: Registry, model: Model, { of }: TimelineSpec): string | null {
  return of === undefined ? null : (fieldAtPath(registry, model.name, of)?.spec.relation ?? '');
}
