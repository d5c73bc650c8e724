import { type Env, type Field, type Model, mayAccessModel, mayReadField } from '@kontor/orm';
import type { ArchField } from '@kontor/protocol';
import { archField } from '@kontor/views';

/**
 * The fields at the end of grouping paths, such as the customer's country, named by their path. Fields that the user
 * may not read are left out; the database rejects grouping by them.
 */
export function pathFields(env: Env, model: Model, groups: readonly string[]): readonly ArchField[] {
  const paths = new Set(groups.map((group) => group.split(':', 1)[0] as string).filter((path) => path.includes('.')));
  return [...paths].flatMap((path) => fieldAt(env, model, path) ?? []);
}

function fieldAt(env: Env, model: Model, path: string): ArchField | null {
  const labels: string[] = [];
  const steps = path.split('.');
  let at = model;
  let field: Field | undefined;
  for (const [index, step] of steps.entries()) {
    field = at.fields.get(step);
    if (!field || !mayReadField(env, field)) return null;
    labels.push(field.label);
    if (index === steps.length - 1) break;
    if (!field.kind.isToOne) return null;
    at = env.registry.model(field.spec.relation as string);
    if (!mayAccessModel(env, at, 'read')) return null;
  }
  return field ? { ...archField(at, field), name: path, label: labels.join(': ') } : null;
}
