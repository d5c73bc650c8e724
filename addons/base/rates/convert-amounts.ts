import { anyModel, Decimal, dateIn, type Env, text, UserError } from '@kontor/addon';
import { type DatedCurrency, rateOn, ratePaths } from './rate-on.ts';

interface Amounts {
  readonly model: string;
  /** Its own amounts in the currency of `currency_id`. */
  readonly amounts?: readonly string[];
  /** The amounts of its lines. */
  readonly lines?: { readonly field: string; readonly model: string; readonly amounts: readonly string[] };
  /** The field with the day whose rates apply; by default today. */
  readonly date?: string;
}
interface Write {
  readonly env: Env;
  readonly ids: readonly number[];
  readonly values: object;
}
interface Currency extends DatedCurrency {
  readonly name: string;
  readonly decimal_places: number;
}
type Row = Readonly<Record<string, unknown>> & { readonly id: number };

/**
 * For `beforeWrite` of a model with a currency: a record that gets another one keeps what its amounts are worth, at the rates of the
 * day. 329 EUR must not become 329 CHF. Amounts that the same write gives are in the new currency already; without rates all of them
 * must be given. No currency is that of the company.
 */
export async function convertAmounts<Values extends object>(
  { env, ids, values }: Write & { readonly values: Values },
  { model, amounts = [], lines, date }: Amounts,
): Promise<Values> {
  const given = values as Readonly<Record<string, unknown>>;
  if (given.currency_id === undefined) return values;
  const server = env.sudo();
  const rows = await anyModel(server, model).read(ids, [
    ...['currency_id', ...amounts, ...(date ? [date] : []), ...(lines ? [lines.field] : [])],
  ]);
  const to = await currencyOf(server, given.currency_id);
  for (const row of rows) {
    const from = await currencyOf(server, row.currency_id);
    if (!from || !to || from.id === to.id) continue;
    const own = amounts.filter((name) => !(name in given) && isAmount(row[name]));
    const others = lines ? await linesOf(server, lines, row, given) : [];
    if (own.length === 0 && others.length === 0) continue;
    if (ids.length > 1) throw new UserError('Choose another currency for one record at a time.');
    const day = (date && ((given[date] ?? row[date]) as string | null)) || dateIn('UTC', env.now);
    const rate = rateBetween(from, to, day);
    const convert = (value: unknown) => (value as Decimal).times(rate).round(to.decimal_places);
    const converted = Object.fromEntries(own.map((name) => [name, convert(row[name])]));
    if (!lines || others.length === 0) return { ...values, ...converted };
    const changed = others.map((line) => ({
      id: line.id,
      values: Object.fromEntries(
        lines.amounts.filter((name) => isAmount(line[name])).map((name) => [name, convert(line[name])]),
      ),
    }));
    return { ...values, ...converted, [lines.field]: withLines(changed, (given[lines.field] ?? []) as Commands) };
  }
  return values;
}

function rateBetween(from: Currency, to: Currency, day: string): Decimal {
  const [own, other] = [rateOn(from, day).rate, rateOn(to, day).rate];
  if (own && other) return other.div(own);
  const names = { from: from.name, to: to.name };
  throw new UserError(
    text(
      'The prices are in {from}, and no rate to {to} is known. Enter them in {to} as you change the currency, or ask an administrator for the rates of both.',
      names,
    ),
  );
}

async function currencyOf(server: Env, id: unknown): Promise<Currency | null> {
  const paths = ['name', 'decimal_places', ...ratePaths] as const;
  if (typeof id === 'number') return ((await server.model('core.currency').load([id], paths))[0] as Currency) ?? null;
  const company = server.actor.companyId;
  if (company === null) return null;
  const [home] = await server.model('core.company').read([company], ['currency_id']);
  return typeof home?.currency_id === 'number' ? currencyOf(server, home.currency_id) : null;
}

/** Lines whose amounts the write leaves as they are. */
async function linesOf(
  server: Env,
  { field, model, amounts }: NonNullable<Amounts['lines']>,
  row: Row,
  given: Readonly<Record<string, unknown>>,
): Promise<readonly Row[]> {
  const commands = (given[field] ?? []) as Commands;
  const settled = new Set(
    commands.flatMap(([verb, id, values]) =>
      verb !== 'update' || amounts.every((name) => name in (values as object)) ? [id] : [],
    ),
  );
  const ids = (row[field] as readonly number[]).filter((id) => !settled.has(id));
  const rows = await anyModel(server, model).read(ids, amounts);
  return rows.filter((line) => amounts.some((name) => isAmount(line[name])));
}

function isAmount(value: unknown): boolean {
  return value instanceof Decimal && !value.eq(0);
}

type Commands = readonly (readonly [verb: string, id?: unknown, values?: unknown])[];

/** The commands of a write, with values for lines that it leaves as they are. */
export function withLines(
  lines: readonly { readonly id: number; readonly values: object }[],
  given: Commands,
): readonly unknown[] {
  const known = new Map<unknown, object>(lines.map(({ id, values }) => [id, values]));
  const commands = given.map((command) =>
    command[0] === 'update' ? command.with(2, { ...known.get(command[1]), ...(command[2] as object) }) : command,
  );
  const mentioned = new Set<unknown>(given.map(([, id]) => id));
  const others = lines.flatMap(({ id, values }) => (mentioned.has(id) ? [] : [['update', id, values]]));
  return [...commands, ...others];
}
