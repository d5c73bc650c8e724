import { setImmediate } from 'node:timers/promises';
import { BadValue, type Preparation } from '../fields/kind.ts';
import type { Model, Registry } from '../model/model.ts';
import type { Values } from '../model/records.ts';

/** The values, also in lines, that take long to cast. */
export function longValues(registry: Registry, model: Model, rows: readonly Values[]): readonly Preparation[] {
  const found: Preparation[] = [];
  for (const row of rows) collect(registry, model, row, found);
  return found;
}

function collect(registry: Registry, model: Model, values: unknown, found: Preparation[]): void {
  if (typeof values !== 'object' || values === null) return;
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name);
    const preparation = field?.kind.prepare?.(value);
    if (preparation) found.push(preparation);
    if (!field?.kind.isList || !field.spec.relation || !Array.isArray(value)) continue;
    const related = registry.model(field.spec.relation);
    for (const command of value) {
      if (Array.isArray(command)) collect(registry, related, command[command[0] === 'create' ? 1 : 2], found);
    }
  }
}

/** Does the work for one value after the other, with others served in between, and then what needs it. */
export async function withPrepared<T>(preparations: readonly Preparation[], work: () => T): Promise<T> {
  try {
    for (const each of preparations) {
      try {
        each.work();
      } catch (error) {
        // Reported with its field when it is cast.
        if (!(error instanceof BadValue)) throw error;
      }
      await setImmediate();
    }
    return work();
  } finally {
    for (const each of preparations) each.forget();
  }
}
