import { type Env, mayAccessModel, mayReadField, mayWriteField } from '@kontor/orm';
import { type Operation, type Text, text } from '@kontor/protocol';

/** Any env, typed or not. */
type AnyEnv = Pick<Env, 'actor' | 'registry'>;

/**
 * Why the actor may not do this to any record of a model; null if they may. Rules are not considered: they limit which records.
 * ```ts
 * export const mayAddContacts = (env: Env) => modelRefusal(env, 'core.partner', 'create') === null;
 * ```
 */
export function modelRefusal(env: AnyEnv, name: string, operation: Operation): Text | null {
  const model = env.registry.models.get(name);
  if (!model) return text('There is no model {model}.', { model: name.slice(0, 80) });
  if (mayAccessModel(env as Env, model, operation)) return null;
  const words = { model: model.label };
  if (operation === 'read') return text('You may not read {model}.', words);
  return operation === 'create'
    ? text('You may not create {model}.', words)
    : text('You may not change {model}.', words);
}

/**
 * Why the actor may not read the fields of a path, or write the field of a path of one step, or why there is no such path; null if they
 * may.
 * ```ts
 * export const seesCity = (env: Env) => fieldRefusal(env, 'core.partner', 'country_id.code', 'read') === null;
 * ```
 */
export function fieldRefusal(env: AnyEnv, name: string, path: string, operation: 'read' | 'write'): Text | null {
  const whole = env as Env;
  let at = name;
  for (const step of path.split('.')) {
    const refused = modelRefusal(env, at, 'read');
    if (refused) return refused;
    const model = whole.registry.model(at);
    const field = model.fields.get(step);
    if (!field) return text('{model} has no field {field}.', { model: model.label, field: step.slice(0, 80) });
    if (field.spec.secret || !mayReadField(whole.outside(true), field))
      return text('You may not see {field}.', { field: field.label });
    if (operation === 'write' && !mayWriteField(whole.outside(true), field))
      return text('{field} cannot be changed.', { field: field.label });
    at = field.spec.relation ?? '';
  }
  return null;
}
