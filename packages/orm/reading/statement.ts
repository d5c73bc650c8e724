import { and, empty, ident, join, literal, type Sql, sql } from '@kontor/database';
import { type AnyDomain, domainTree, invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import type { Select } from './projection/select.ts';

/** The rows a caller may read among those that the domain matches; ACCESS_DENIED when there can be none. */
export function visibleRows(select: Select, domain: AnyDomain | undefined): Sql {
  const { env, model, alias, compiler } = select;
  checkModelAccess(env, model, 'read');
  const parts: Sql[] = [];
  const node = domainTree(domain ?? []);
  if (node.kind !== 'all') parts.push(compiler.node(model, node, alias));
  const rule = compiler.rules(model, 'read', alias);
  if (rule) parts.push(rule);
  return and(parts);
}

export function selectFrom(select: Select, source: Sql, tail: Sql): Sql {
  return sql`select ${join(select.columns)} from ${source}${join(select.joinClauses, empty)}${tail}`;
}

export function tableOf(select: Select): Sql {
  return sql`${ident(select.model.table)} ${ident(select.alias)}`;
}

interface Page {
  readonly where: Sql;
  readonly order: readonly Sql[];
  /** Whether the order reads joined tables, so that rows cannot be cut before the joins. */
  readonly orderJoins: boolean;
  readonly limit: number | undefined;
  readonly offset: number | undefined;
}

/** One page in one statement. Rows are cut before names are joined to them where the order allows it: deep pages stay cheap. */
export function pageStatement(select: Select, page: Page): Sql {
  const order = sql` order by ${join(page.order)}`;
  const cut = cutClause(page.limit, page.offset);
  const isCut = page.limit !== undefined || page.offset;
  if (!isCut || page.orderJoins || select.joinClauses.length === 0) {
    return selectFrom(select, tableOf(select), sql` where ${page.where}${order}${cut}`);
  }
  const alias = ident(select.alias);
  const rows = sql`(select ${alias}.* from ${tableOf(select)} where ${page.where}${order}${cut}) ${alias}`;
  return selectFrom(select, rows, order);
}

/**
 * With a constant limit the database keeps one plan for the statement; with a parameter it finds that no general plan is
 * good and plans every time. So the usual page sizes are constants, and only they, to keep the number of statements small.
 */
const usualLimits: ReadonlySet<number> = new Set([1, 40, 80, 100, 500]);

export function cutClause(limit: number | undefined, offset: number | undefined): Sql {
  const skipped = offset ? sql` offset ${offset}` : empty;
  if (limit === undefined) return skipped;
  return sql` limit ${usualLimits.has(limit) ? literal(String(limit)) : limit}${skipped}`;
}

/** Checks a limit or an offset; both are whole numbers from 0 on. */
export function checkCount(value: unknown, name: 'limit' | 'offset'): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidArgs(`${name} must be a whole number from 0 on.`, { field: name });
}
