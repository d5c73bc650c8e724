import { ident, join, literal, type Sql, sql } from '@kontor/database';
import type { Field, Model } from '../model/model.ts';
import type { Compiler } from './compiler.ts';
import { knownField } from './known-field.ts';
import { type NamePiece, namePieces } from './name-pieces.ts';
import { relatedModel } from './reach.ts';

/** A template of one field is that field; others are put together, where what is empty leaves no trace of its brackets. */
export function compileDisplayName(compiler: Compiler, model: Model, alias: string): Sql {
  const step = `name of ${model.name}`;
  if (compiler.trail.includes(step)) return plainName(model, alias);
  const inner = compiler.within(step);
  const pieces = namePieces(model.displayName);
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && 'path' in only) return pathText(inner, model, only.path, alias);
  return sql`concat(${join(pieces.map((piece) => pieceSql(inner, model, piece, alias)))})`;
}

/** A name that contains a name of its own model (`{parent_id} / {name}`) goes one level up, not for ever. */
function plainName(model: Model, alias: string): Sql {
  const name = model.fields.get('name');
  return name?.column ? ident(alias, name.column) : sql`${ident(alias, 'id')}::text`;
}

/** The template's own text is a constant, not a parameter: the expression must stay equal to itself in GROUP BY. */
function pieceSql(compiler: Compiler, model: Model, piece: NamePiece, alias: string): Sql {
  if ('text' in piece) return literal(piece.text);
  const value = pathText(compiler, model, piece.path, alias);
  if (piece.before === '' && piece.after === '') return value;
  return sql`${literal(piece.before)} || nullif(${value}, '') || ${literal(piece.after)}`;
}

function pathText(compiler: Compiler, model: Model, path: readonly string[], alias: string): Sql {
  const value = compiler.path(model, path, alias);
  const field = fieldAt(compiler, model, path);
  return field.kind.nameSql(value, field);
}

function fieldAt(compiler: Compiler, model: Model, path: readonly string[]): Field {
  const [name, ...rest] = path as readonly [string, ...string[]];
  const field = knownField(model, name);
  return rest.length === 0 ? field : fieldAt(compiler, relatedModel(compiler, field), rest);
}
