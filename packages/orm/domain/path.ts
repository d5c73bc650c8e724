import { ident, type Sql, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import { checkFieldRead } from '../access/field-access.ts';
import type { Model } from '../model/model.ts';
import { allOf } from './combine.ts';
import type { Compiler } from './compiler.ts';
import { knownField } from './known-field.ts';
import { relatedModel } from './reach.ts';

/** The value at the end of a path through many2ones; null where one of them is empty or hidden. */
export function compilePath(compiler: Compiler, model: Model, path: readonly string[], alias: string): Sql {
  const [name, ...rest] = path as readonly [string, ...string[]];
  const field = knownField(model, name);
  if (compiler.checksRights) checkFieldRead(compiler.env, field);
  if (rest.length === 0) return compiler.field(model, field, alias);
  if (!field.kind.isToOne) {
    throw invalidArgs(`${model.name}.${name} is not a many2one: the path "${path.join('.')}" cannot go through it.`, {
      field: path.join('.'),
    });
  }
  const target = relatedModel(compiler, field);
  const related = compiler.alias();
  const value = compilePath(compiler, target, rest, related);
  const link = sql`${ident(related, 'id')} = ${compiler.field(model, field, alias)}`;
  const condition = allOf([link, compiler.visible(target, related)]);
  return sql`(select ${value} from ${ident(target.table)} as ${ident(related)} where ${condition})`;
}
