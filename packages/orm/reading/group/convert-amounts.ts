import { ident, type Sql, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import type { Env, Field } from '../../model/model.ts';
import { fieldAt, type JoinedTable, type Select, walk } from '../select.ts';

/** The currency that amounts are converted into. */
export interface TargetCurrency {
  readonly id: number;
  readonly code: string;
  /** What one euro is worth in it; null: unknown, so that nothing can be converted. */
  readonly rate: string | null;
  readonly digits: number;
}

/** The currency with this code, or that of the active company (`company`). */
export async function targetCurrency(env: Env, asked: string | null): Promise<TargetCurrency | null> {
  if (asked === null) return null;
  const server = env.sudo();
  const key =
    asked === 'company' ? (['id', '=', await companyCurrency(server)] as const) : (['name', '=', asked] as const);
  const [found] = await server.model('core.currency').searchRead([key], ['name', 'rate', 'decimal_places']);
  if (!found) throw invalidArgs(`There is no currency ${asked}.`, { field: 'money' });
  const rate = found.rate === null || found.rate === undefined ? null : String(found.rate);
  return { id: found.id, code: String(found.name), rate, digits: Number(found.decimal_places) };
}

async function companyCurrency(server: Env): Promise<number | null> {
  const [company] = await server
    .model('core.company')
    .searchRead([['id', '=', server.actor.companyId]], ['currency_id']);
  return (company?.currency_id ?? null) as number | null;
}

/** Digits of an amount before the totals are rounded: enough that no rounding of a record shows in a total. */
const workingDigits = 30;
/** Totals are first freed from what thirty digits could not hold, so that half a cent stays half a cent. */
const exactDigits = 20;

export interface Conversion {
  /** The currency of a record after the conversion: its own if that has no rate. */
  readonly currency: Sql;
  amount(value: Sql): Sql;
}

/** Converts amounts whose currency is at `path`: at the rates of the day that its field names (`ratesOn`), or at those of today. */
export function planConversion(select: Select, path: readonly string[], { id, rate }: TargetCurrency): Conversion {
  const at = (steps: readonly string[]) => {
    const { table, field } = walk(select, steps);
    return fieldAt(select, table, field);
  };
  const own = at(path);
  if (rate === null) return { currency: own, amount: (value) => value };
  const known = at([...path, 'rate']);
  const day = dayOfRates(select, path);
  const from = day ? rateOn(select, { currency: own, day, today: known }) : known;
  const to = day
    ? rateOn(select, { currency: sql`${id}::int4`, day, today: sql`${rate}::numeric` })
    : sql`${rate}::numeric`;
  return {
    currency: sql`case when ${known} is not null then ${id}::int4 else ${own} end`,
    amount: (value) =>
      sql`case when ${own} = ${id}::int4 or ${known} is null then ${value} else round(${value} * ${to}, ${workingDigits}::int4) / ${from} end`,
  };
}

/** The rates of a currency by date, a list of it. */
const datedRates = 'rate_ids';

/** The day whose rates apply, in the time zone of the record's company, so that all readers get the same totals; null: today's rates, or currencies without dated ones. */
function dayOfRates(select: Select, path: readonly string[]): Sql | null {
  const { field: currency } = walk(select, path);
  const { ratesOn, relation } = currency.spec;
  if (ratesOn === undefined || !select.env.registry.model(relation as string).fields.has(datedRates)) return null;
  const { table, field } = walk(select, [...path.slice(0, -1), ratesOn]);
  const value = fieldAt(select, table, field);
  return field.kind.isInstant ? sql`(${value} at time zone ${zoneOf(select, table)})::date` : value;
}

/** That of the record's company; without one, of the first. Time zones are no secret, so no rule applies. */
function zoneOf(select: Select, table: JoinedTable): Sql {
  const company = table.model.fields.get('company_id');
  const companies = company && select.env.registry.model(company.spec.relation as string);
  if (!companies?.fields.has('tz')) return sql`'UTC'::text`;
  const zones = ident(companies.table);
  const own = fieldAt(select, table, company as Field);
  return sql`coalesce((select c.tz from ${zones} c where c.id = ${own}), (select c.tz from ${zones} c order by c.id limit 1), 'UTC')`;
}

interface DatedRate {
  readonly currency: Sql;
  readonly day: Sql;
  readonly today: Sql;
}

/** The last rate until the day, or the first one if the day is before it. Rates are no secret, so no rule applies. */
function rateOn({ env: { registry } }: Select, { currency, day, today }: DatedRate): Sql {
  const list = registry.model('core.currency').fields.get(datedRates)?.spec;
  const table = ident(registry.model(list?.relation as string).table);
  const of = sql`from ${table} r where r.${ident(list?.inverse as string)} = ${currency}`;
  return sql`case when ${day} is null then ${today} else coalesce((select r.rate ${of} and r.date <= ${day} order by r.date desc limit 1), (select r.rate ${of} order by r.date limit 1), ${today}) end`;
}

/** A finished figure with the digits of its currency. */
export function roundedAmount(figure: Sql, { digits }: TargetCurrency): Sql {
  return sql`round(round(${figure}, ${exactDigits}::int4), ${digits}::int4)`;
}
