import { accessDenied, type Text, text } from '@kontor/protocol';
import type { Env, Field } from '../model/model.ts';

/**
 * Members of any of the field's groups may read it, with a key that covers it; a secret can be read only by server code
 * under `sudo`.
 */
export function mayReadField(env: Env, field: Field): boolean {
  return env.isSudo || (field.spec.secret !== true && isInGroups(env, field) && isInScope(env, field));
}

/** Whether the user may read it in every record: where a value is not read from the record itself, `meantFor` cannot be looked at. */
export function mayReadEverywhere(env: Env, field: Field): boolean {
  return mayReadField(env, field) && (env.isSudo || isMeantFor(env, field));
}

/** Whether the field is for the user in all records, and not only in some (`meantFor`). */
export function isMeantFor(env: Env, { spec: { meantFor } }: Field): boolean {
  return meantFor === undefined || meantFor.groups.some((group) => env.actor.groups.has(group));
}

/** Throws ACCESS_DENIED, layer `field`. Also for conditions, order, groups and aggregates, which reveal values too. */
export function checkFieldRead(env: Env, field: Field): void {
  if (mayReadField(env, field)) return;
  throw accessDenied(field.model, 'read', 'field', {
    message: text('You may not see {field}.', { field: field.label }),
    field: field.name,
  });
}

/**
 * Throws ACCESS_DENIED, layer `field`: not in the field's groups, or readonly for an external caller. A secret may be
 * written.
 */
export function checkFieldWrite(env: Env, field: Field): void {
  if (env.isSudo) return;
  if (!isInGroups(env, field) || !isInScope(env, field))
    throw writeDenied(field, text('You may not change {field}.', { field: field.label }));
  if (env.isOutside && field.isReadonly)
    throw writeDenied(field, text('{field} cannot be changed.', { field: field.label }));
}

/** Whether an external caller may set it. */
export function mayWriteField(env: Env, field: Field): boolean {
  return !field.isReadonly && (env.isSudo || (isInGroups(env, field) && isInScope(env, field)));
}

function isInGroups(env: Env, field: Field): boolean {
  const { groups } = field.spec;
  return groups === undefined || groups.some((group) => env.actor.groups.has(group));
}

function isInScope({ scope }: Env, field: Field): boolean {
  return scope === null || scope.hasField(field.model, field.name);
}

function writeDenied(field: Field, message: Text): Error {
  return accessDenied(field.model, 'write', 'field', { message, field: field.name });
}
