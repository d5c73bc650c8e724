import { invalidArgs } from '@kontor/protocol';
import { checkFieldWrite } from '../access/field-access.ts';
import { knownField } from '../domain/known-field.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values } from '../model/records.ts';

const nothing: ReadonlySet<string> = new Set();

/** Every field must be settable, and the caller must be allowed to set it unless server code grants it. */
export function checkFieldAccess(env: Env, model: Model, names: Iterable<string>, granted = nothing): void {
  for (const name of names) {
    const field = knownField(model, name);
    if (granted.has(name)) continue;
    checkFieldWrite(env, field);
    if (!isSettable(field)) {
      throw invalidArgs(`${name} of ${model.name} is worked out by the server and cannot be set.`, {
        model: model.name,
        field: name,
      });
    }
  }
}

export function checkShape(model: Model, values: unknown): asserts values is Values {
  if (typeof values === 'object' && values !== null && !Array.isArray(values)) return;
  throw invalidArgs('The values must be an object of field names and values.', { model: model.name });
}

export function isList(field: Field): boolean {
  return field.kind.isList;
}

function isSettable(field: Field): boolean {
  if (field.name === 'id' || field.compute !== null || field.related !== null) return false;
  return field.column !== null || isList(field);
}
