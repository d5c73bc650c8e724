import type { Field, Registry } from './model.ts';

/** The fields of a path, as far as they exist. */
export function fieldsAlong(
  { models }: Pick<Registry, 'models'>,
  model: string,
  path: readonly string[],
): readonly Field[] {
  const fields: Field[] = [];
  let at: string | undefined = model;
  for (const name of path) {
    const field: Field | undefined = models.get(at ?? '')?.fields.get(name);
    if (!field) break;
    fields.push(field);
    at = field.spec.relation;
  }
  return fields;
}

/**
 * The field at the end of a path; undefined if there is none.
 * ```ts
 * export const label = (env: Env) => fieldAtPath(env.registry, 'core.partner', 'country_id.name')?.label;
 * ```
 */
export function fieldAtPath(registry: Pick<Registry, 'models'>, model: string, path: string): Field | undefined {
  const steps = path.split('.');
  return fieldsAlong(registry, model, steps)[steps.length - 1];
}
