import { ident, type Sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import type { Field, Model } from '../model/model.ts';
import { aggregateSql } from './aggregate.ts';
import type { Compiler } from './compiler.ts';

/** A field's value as a scalar expression. The rights on the field itself are the caller's to check. */
export function compileField(compiler: Compiler, model: Model, field: Field, alias: string): Sql {
  if (field.column !== null) return ident(alias, field.column);
  if (field.name === 'display_name') return compiler.displayName(model, alias);
  if (field.related !== null) return compiler.trusted().path(model, field.related, alias);
  if (field.compute !== null && !('value' in field.compute)) return aggregateSql(compiler, model, field.compute, alias);
  const isMany = field.kind.isList;
  const why = isMany && field.compute === null ? 'holds many records' : 'is computed and not stored';
  throw invalidArgs(`${field.model}.${field.name} ${why}: it has no value to sort, group or search by.`, {
    field: field.name,
  });
}
