import type { Sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import { createCompiler } from './create-compiler.ts';

/**
 * A field's value as a scalar expression: its column, the display name, a related path, an aggregate that is not stored.
 * Throws INVALID_ARGS when it has no SQL form. Rights on the field are checked with `checkFieldRead`, not here.
 */
export function fieldSql(env: Env, model: Model, field: Field, alias: string): Sql {
  return createCompiler(env, alias).field(model, field, alias);
}

/** The value at the end of a path through many2ones, null where a rule hides one; checks the right to read each field. */
export function pathSql(env: Env, model: Model, path: readonly string[], alias: string): Sql {
  return createCompiler(env, alias).path(model, path, alias);
}

export function displayNameSql(env: Env, model: Model, alias: string): Sql {
  return createCompiler(env, alias).displayName(model, alias);
}
