import { type Sql, sql } from '@kontor/database';
import { invalidArgs } from '@kontor/protocol';
import type { Env } from '../../model/model.ts';
import { fieldAt, type Select, walk } from '../select.ts';

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

/** Converts amounts whose currency is at `path`. */
export function planConversion(select: Select, path: readonly string[], { id, rate }: TargetCurrency): Conversion {
  const at = (steps: readonly string[]) => {
    const { table, field } = walk(select, steps);
    return fieldAt(select, table, field);
  };
  const own = at(path);
  if (rate === null) return { currency: own, amount: (value) => value };
  const from = at([...path, 'rate']);
  return {
    currency: sql`case when ${from} is not null then ${id}::int4 else ${own} end`,
    amount: (value) =>
      sql`case when ${own} = ${id}::int4 or ${from} is null then ${value} else round(${value} * ${rate}::numeric, ${workingDigits}::int4) / ${from} end`,
  };
}

/** A finished figure with the digits of its currency. */
export function roundedAmount(figure: Sql, { digits }: TargetCurrency): Sql {
  return sql`round(round(${figure}, ${exactDigits}::int4), ${digits}::int4)`;
}
