import { ident, join, literal, type Sql, sql } from '@kontor/database';
import { type Domain, invalidArgs, parseAuthoredDomain } from '@kontor/protocol';
import { checkFieldRead, isMeantFor } from '../access/field-access.ts';
import type { ComputeByAggregate } from '../model/behaviour.ts';
import { aggregateOf } from '../model/depends.ts';
import type { DisplayNamePart, Field, Model } from '../model/model.ts';
import { wordsColumn } from '../model/translated.ts';
import type { Compiler, Reach } from './compiler.ts';
import { allOf, treeSql } from './criterion-sql.ts';
import { knownField, relatedModel } from './known-field.ts';

/** A field's value as a scalar expression. The caller checks the rights on the field itself. */
export function compileField(compiler: Compiler, model: Model, field: Field, alias: string): Sql {
  if (field.column !== null) return meantSql(compiler, model, field, alias);
  if (field.name === 'display_name') return compiler.displayName(model, alias);
  if (field.related !== null) return compiler.trusted().path(model, field.related, alias);
  if (field.compute !== null && !('value' in field.compute)) return aggregateSql(compiler, model, field.compute, alias);
  const isMany = field.kind.isList;
  const why = isMany && field.compute === null ? 'holds many records' : 'is computed and not stored';
  throw invalidArgs(`${field.model}.${field.name} ${why}: it has no value to sort, group or search by.`, {
    field: field.name,
  });
}

/** Empty in records in which the value is not for the reader. */
function meantSql(compiler: Compiler, model: Model, field: Field, alias: string): Sql {
  const value = columnSql(compiler, field, alias);
  const { meantFor } = field.spec;
  const { env, appliesRules } = compiler;
  if (meantFor === undefined || !appliesRules || env.isSudo || isMeantFor(env, field)) return value;
  const condition = parseAuthoredDomain(meantFor.where as Domain);
  return sql`case when ${compiler.trusted({ appliesRules: false }).node(model, condition, alias)} then ${value} end`;
}

/** A shipped text is in the reader's language. Server code that stores what it reads gets the stored text. */
function columnSql(compiler: Pick<Compiler, 'env' | 'readsStored'>, field: Field, alias: string): Sql {
  const column = ident(alias, field.column as string);
  const words = compiler.readsStored ? null : wordsColumn(field);
  if (words === null) return column;
  const languages = compiler.env.registry.dataLanguages;
  const said = languages.map((language) => sql`${ident(alias, words)} -> ${column} ->> ${literal(language)}`);
  return sql`coalesce(${join([...said, column])})`;
}

/** The value at the end of a path through many2ones; null if one of them is empty or hidden. */
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
  const target = relatedModel(compiler.env.registry, field);
  const related = compiler.alias();
  const value = compilePath(compiler, target, rest, related);
  const link = sql`${ident(related, 'id')} = ${compiler.field(model, field, alias)}`;
  const condition = allOf([link, compiler.visible(target, related)]);
  return sql`(select ${value} from ${ident(target.table)} as ${ident(related)} where ${condition})`;
}

/** Over the lines that the reader may read, unless the author gives a reason to use all. */
function aggregateSql(compiler: Compiler, model: Model, compute: ComputeByAggregate, alias: string): Sql {
  const { measure: kind, path } = aggregateOf(compute);
  const steps = path.split('.');
  const leaf = kind === 'count' ? null : (steps.pop() as string);
  const server = compute.asServer === undefined ? compiler.trusted() : compiler.trusted({ appliesRules: false });
  const hops = compute.below ? followBelow(server, model, steps, alias) : follow(server, model, steps, alias);
  const end = hops.at(-1);
  const value = leaf === null ? null : server.path(end?.target ?? model, [leaf], end?.alias ?? alias);
  const tables = join(hops.map((hop) => hop.from));
  const isCounted = hops.flatMap((hop) => [hop.link, server.visible(hop.target, hop.alias)]);
  return sql`(select ${measure(kind, value)} from ${tables} where ${allOf(isCounted)})`;
}

type Hop = Pick<Reach, 'target' | 'alias' | 'from' | 'link'>;

/** From the record and all records below it, which are the ones that `child_of` finds. */
function followBelow(compiler: Compiler, model: Model, steps: readonly string[], alias: string): readonly Hop[] {
  const [tree, below] = [compiler.alias(), compiler.alias()];
  const ids = treeSql(compiler, model, 'down', (root) => sql`${root} = ${ident(alias, 'id')}`);
  const first = {
    target: model,
    alias: below,
    from: sql`(${ids}) as ${ident(tree)}, ${ident(model.table)} as ${ident(below)}`,
    link: sql`${ident(below, 'id')} = ${ident(tree, 'id')}`,
  };
  return [first, ...follow(compiler, model, steps, below)];
}

function follow(compiler: Compiler, model: Model, steps: readonly string[], alias: string): readonly Reach[] {
  const hops: Reach[] = [];
  for (const step of steps) {
    const from = hops.at(-1) ?? { target: model, alias };
    hops.push(compiler.reach({ model: from.target, field: knownField(from.target, step), alias: from.alias }));
  }
  return hops;
}

function measure(kind: 'sum' | 'count' | 'min' | 'max', value: Sql | null): Sql {
  switch (kind) {
    case 'sum':
      return sql`coalesce(sum(${value}), 0)`;
    case 'count':
      return sql`count(*)::int4`;
    case 'min':
      return sql`min(${value})`;
    case 'max':
      return sql`max(${value})`;
  }
}

/** A template of one field is that field; others are concatenated, and an empty value is left out together with its brackets. */
export function compileDisplayName(compiler: Compiler, model: Model, alias: string): Sql {
  const step = `name of ${model.name}`;
  if (compiler.expanding.includes(step)) return plainName(compiler, model, alias);
  const inner = compiler.within(step);
  const pieces = namePieces(model.displayName);
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined && 'path' in only) return pathText(inner, model, only.path, alias);
  return sql`concat(${join(pieces.map((piece) => pieceSql(inner, model, piece, alias)))})`;
}

/** A name that contains a name of its own model (`{parent_id} / {name}`) goes up one level, not forever. */
function plainName(compiler: Compiler, model: Model, alias: string): Sql {
  const name = model.fields.get('name');
  return name?.column ? columnSql(compiler, name, alias) : sql`${ident(alias, 'id')}::text`;
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
  return rest.length === 0 ? field : fieldAt(compiler, relatedModel(compiler.env.registry, field), rest);
}

/** A path with its brackets, which are left out when it has no value; or only text. */
type NamePiece =
  | { readonly text: string }
  | { readonly path: readonly string[]; readonly before: string; readonly after: string };

/** `{name} ({ref})` becomes the path name and the path ref with ` (` before and `)` after it. */
function namePieces(parts: readonly DisplayNamePart[]): readonly NamePiece[] {
  const pieces: NamePiece[] = [];
  let open = '';
  for (const [index, part] of parts.entries()) {
    if ('text' in part) {
      const previous = pieces.at(-1);
      const closed = previous !== undefined && 'path' in previous ? previous.after.length : 0;
      const text = part.text.slice(closed);
      open = isPath(parts[index + 1]) ? openingOf(text) : '';
      pieces.push({ text: text.slice(0, text.length - open.length) });
      continue;
    }
    const after = closingOf(parts[index + 1], open, index <= 1 && pieces.every(isBlank));
    if (after === '' && open !== '') pieces.push({ text: open });
    pieces.push({ path: part.path, before: after === '' ? '' : open, after });
    open = '';
  }
  return pieces.filter((piece) => !isBlank(piece));
}

function isPath(part: DisplayNamePart | undefined): boolean {
  return part !== undefined && 'path' in part;
}

function isBlank(piece: NamePiece): boolean {
  return 'text' in piece && piece.text === '';
}

function openingOf(text: string): string {
  return /\s*[([]$/.exec(text)?.[0] ?? '';
}

/** A bracket at the very start is left out together with the space after it. */
function closingOf(next: DisplayNamePart | undefined, open: string, isFirst: boolean): string {
  if (open === '' || next === undefined || !('text' in next)) return '';
  const closing = open.endsWith('(') ? /^\)\s*/ : /^\]\s*/;
  const found = closing.exec(next.text)?.[0] ?? '';
  return isFirst ? found : found.slice(0, 1);
}
