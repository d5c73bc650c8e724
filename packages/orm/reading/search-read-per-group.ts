import { type Cell, ident, join, type Sql, sql } from '@kontor/database';
import { type AnyDomain, invalidArgs } from '@kontor/protocol';
import type { Env, Model } from '../model/model.ts';
import type { Projection, WireRecord } from '../model/records.ts';
import { parseGrouping } from './group/parse-group-spec.ts';
import { planGrouping } from './group/plan-grouping.ts';
import { orderTerms } from './order.ts';
import { buildRecords } from './projection/build-records.ts';
import { fetchExtras } from './projection/fetch-extras.ts';
import { planProjection } from './projection/plan-projection.ts';
import { checkCount, type Select, selectFrom, startSelect, tableOf, visibleRows, walk } from './select.ts';

export interface PerGroupSpec {
  readonly domain?: AnyDomain;
  readonly projection?: Projection;
  /** As in `read_group`: a field, dates with granularity. */
  readonly by: string;
  /** The number of records per group. */
  readonly limit: number;
  readonly order?: string;
}

/** The first records of every group, in one statement: the cards of a kanban. Each group has the given order. */
export async function searchReadPerGroup(env: Env, model: Model, spec: PerGroupSpec): Promise<WireRecord[]> {
  const limit = checkCount(spec.limit, 'limit');
  const select = startSelect(env, model);
  const where = visibleRows(select, spec.domain);
  const order = orderTerms(select, spec.order);
  const group = groupValue(select, spec.by);
  const ranked = rankStatement(select, { where, order, group });
  const plan = planProjection(select, spec.projection);
  const source = sql`(${ranked}) r join ${tableOf(select)} on ${ident(select.alias, 'id')} = r.id`;
  const statement = selectFrom(select, source, sql` where r.rank <= ${limit} order by r.rank`);
  const rows: Cell[][] = limit === 0 ? [] : await env.db.arrays(statement);
  return buildRecords(plan, rows, await fetchExtras(env, plan, rows));
}

function groupValue(select: Select, by: string): Sql {
  const grouping = parseGrouping(by);
  if (walk(select, grouping.path).field.kind.isList) {
    throw invalidArgs(`A record can be in several groups of ${by}; group by a field with one value.`, { field: by });
  }
  return planGrouping(select, grouping, sql`null`).value;
}

/** Ranks only ids, with the joins that order and group need. Other columns are joined to the few that are left. */
function rankStatement(
  select: Select,
  { where, order, group }: { readonly where: Sql; readonly order: readonly Sql[]; readonly group: Sql },
): Sql {
  const window = sql`partition by ${group} order by ${join(order)}`;
  const rank = sql`row_number() over (${window})::int4 as rank`;
  const joins = join([...select.joinClauses], sql``);
  return sql`select ${ident(select.alias, 'id')} as id, ${rank} from ${tableOf(select)}${joins} where ${where}`;
}
