import { ident, type Sql, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import { checkCovered } from '../access/scope.ts';
import { knownField } from '../domain/known-field.ts';
import type { OrderTerm } from '../model/model.ts';
import { fieldAt, isComputedOnRead, joinRelation, type Select, walk } from './select.ts';

const maxTerms = 16;

/** Parses `"field, -other"`. */
export function parseOrder(order: unknown): readonly OrderTerm[] {
  if (typeof order !== 'string') {
    throw invalidArgs('An order is a text such as "name, -date".', { field: 'order' });
  }
  if (order.trim() === '') return [];
  const terms = order.split(',').map(parseTerm);
  if (terms.length > maxTerms) throw invalidArgs(`An order has at most ${maxTerms} terms.`, { field: 'order' });
  return terms;
}

function parseTerm(text: string): OrderTerm {
  const trimmed = text.trim();
  const descending = trimmed.startsWith('-');
  const path = descending ? trimmed.slice(1).trim() : trimmed;
  if (path === '' || /\s/.test(path)) {
    throw invalidArgs(`${JSON.stringify(trimmed)} is not an order.`, {
      field: 'order',
      hint: 'Write field names with commas between them, and - before those that descend: "name, -date".',
    });
  }
  return { path: path.split('.'), descending };
}

/** One value of ORDER BY. */
export interface SortTerm {
  readonly value: Sql;
  readonly descending: boolean;
}

export function orderClause(terms: readonly SortTerm[]): readonly Sql[] {
  return terms.map(({ value, descending }) => (descending ? sql`${value} desc` : value));
}

/** The terms of ORDER BY, adding joins to the select where a path needs them. A many2one sorts by its name. */
export function orderTerms(select: Select, order: string | undefined): readonly Sql[] {
  return orderClause(sortTerms(select, order));
}

/** The id comes last: without it, equal rows could change places between two pages. */
export function sortTerms(select: Select, order?: string): readonly SortTerm[] {
  const asked = order === undefined ? [] : parseOrder(order);
  const isDefault = asked.length === 0;
  const terms = isDefault ? select.model.order : asked;
  const parts = terms.map(({ path, descending }) => ({ value: sortValue(select, path, isDefault), descending }));
  if (!terms.some(({ path }) => path.length === 1 && path[0] === 'id')) {
    parts.push({ value: sql`${ident(select.alias, 'id')}`, descending: false });
  }
  return parts;
}

/** The default order comes from the model, not from the caller: it may use fields that the caller cannot read. */
function sortValue(select: Select, path: readonly string[], isDefault: boolean): Sql {
  const compiler = isDefault ? select.compiler.trusted() : select.compiler;
  const { table, field } = walk(select, path, { unchecked: isDefault });
  if (!field.kind.isSortable || isComputedOnRead(field)) {
    throw invalidArgs(`Records cannot be sorted by ${path.join('.')}.`, { field: path.join('.') });
  }
  if (!table.isReadable) return sql`null::text`;
  if (!field.kind.isToOne) return fieldAt(select, table, field, compiler);
  const related = joinRelation(select, table, field);
  if (!isDefault) checkCovered(select.env, related.model, 'read');
  return related.isReadable
    ? fieldAt(select, related, knownField(related.model, 'display_name'), compiler)
    : sql`null::text`;
}
