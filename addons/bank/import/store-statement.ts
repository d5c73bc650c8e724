import { Decimal, type Env, formatAmount, formatDate, type Text, text, ValidationError } from '@kontor/addon';
import { keysOf } from '../file/entry-key.ts';
import type { FileEntry, FileStatement } from '../file/statement.ts';

interface Given {
  readonly accountId: number;
  readonly statement: FileStatement;
  readonly fileName: string;
}

interface Stored {
  /** Null: all of its entries were there already. */
  readonly id: number | null;
  readonly entries: number;
  readonly known: number;
  readonly warnings: readonly Text[];
}

/** So few that others are served in between. */
const rowsAtOnce = 500;

/**
 * Stores what is new of a statement. As the server: only files make entries, and whoever uploads one was allowed to read the account, which decides whose
 * entries these are.
 */
export async function storeStatement(env: Env, { accountId, statement, fileName }: Given): Promise<Stored> {
  const server = env.sudo();
  const entries = statement.entries.map((entry) => ({ ...entry }));
  const keys = keysOf(entries);
  const known = await knownKeys(env, accountId, keys);
  const [account] = await env
    .model('bank.account')
    .load([accountId], ['currency_id.id', 'currency_id.symbol', 'currency_id.decimal_places']);
  if (!account) throw new Error('The account is gone.');
  const currencies = await currenciesOf(env, statement);
  const rows = entries.flatMap((entry, at) => {
    const { batch, part } = keys[at] as (typeof keys)[number];
    if (known.has(batch) || entry.amount.eq(0)) return [];
    return [rowOf(entry, { batch, part, accountId, own: account.currency_id.id, currencies })];
  });
  const total = entries.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  const knownCount = keys.filter(({ batch }) => known.has(batch)).length;
  if (rows.length === 0 && (knownCount > 0 || (await isStored(env, accountId, statement)))) {
    return { id: null, entries: 0, known: knownCount, warnings: [] };
  }
  // Statements that overlap have no gap between them.
  const before = knownCount > 0 ? null : await balanceBefore(env, accountId, statement);
  const gap = before === null || statement.opening === null ? null : statement.opening.minus(before);
  const warnings = warningsOf(statement, total, gap, {
    amount: (amount) => formatAmount(amount, account.currency_id, env.actor.lang),
    day: (day) => formatDate(day, env.actor.lang),
  });
  const id = await server.model('bank.statement').create({
    ...{ account_id: accountId, name: (statement.name ?? fileName).slice(0, 140), total, gap, known_count: knownCount },
    ...{ date_from: statement.from, date_to: statement.to, opening: statement.opening, closing: statement.closing },
  });
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    await server.model('bank.entry').createMany(some.map((row) => ({ ...row, statement_id: id })));
  }
  await keepBalance(env, accountId);
  await closeGap(env, accountId, { ...statement, id });
  return { id, entries: rows.length, known: knownCount, warnings };
}

/** A statement without entries is known by its name and days. */
async function isStored(env: Env, accountId: number, { name, from, to }: FileStatement): Promise<boolean> {
  const same = await env.model('bank.statement').count([
    ['account_id', '=', accountId],
    ['name', '=', name],
    ['date_from', '=', from],
    ['date_to', '=', to],
  ]);
  return same > 0;
}

type Keys = ReturnType<typeof keysOf>;

async function knownKeys(env: Env, accountId: number, keys: Keys): Promise<ReadonlySet<string>> {
  const batches = [...new Set(keys.map(({ batch }) => batch))];
  // As the server, as above.
  const rows = await env
    .sudo()
    .model('bank.entry')
    .searchRead(
      [
        ['account_id', '=', accountId],
        ['batch_key', 'in', batches],
      ],
      ['batch_key'],
    );
  return new Set(rows.map(({ batch_key: key }) => key));
}

async function currenciesOf(env: Env, { entries }: FileStatement): Promise<ReadonlyMap<string, number>> {
  const names = new Set(entries.flatMap(({ currency, sent }) => [currency, sent?.currency ?? null]));
  const wanted = [...names].filter((name) => name !== null);
  const rows = await env.model('core.currency').searchRead([['name', 'in', wanted]], ['name']);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

interface Place {
  readonly batch: string;
  readonly part: number;
  readonly accountId: number;
  readonly own: number;
  readonly currencies: ReadonlyMap<string, number>;
}

function rowOf(entry: FileEntry, { batch, part, accountId, own, currencies }: Place) {
  const currency = entry.currency === null ? own : currencies.get(entry.currency);
  if (currency === undefined) {
    const message = text('The currency {currency} is not set up.', { currency: entry.currency ?? '' });
    throw new ValidationError({ file: [message] }, message);
  }
  const sentIn = entry.sent ? (currencies.get(entry.sent.currency) ?? null) : null;
  return {
    ...{ account_id: accountId, batch_key: batch, part, date: entry.date, value_date: entry.valueDate },
    ...{ amount: entry.amount, currency_id: currency, party: entry.party, iban: entry.iban, text: entry.text },
    ...{ reference: entry.reference, bank_reference: entry.bankReference, is_return: entry.isReturn },
    ...{
      is_fee: entry.isFee,
      sent_amount: sentIn === null ? null : (entry.sent?.amount ?? null),
      sent_currency_id: sentIn,
    },
  };
}

/** The closing balance of the statement that ends before this one begins; null if there is none, or they overlap. */
async function balanceBefore(env: Env, accountId: number, { from, opening }: FileStatement): Promise<Decimal | null> {
  if (from === null || opening === null) return null;
  const [before] = await env.model('bank.statement').searchRead(
    [
      ['account_id', '=', accountId],
      ['closing', '!=', null],
      ['date_to', '<=', from],
    ],
    ['closing', 'date_to'],
    { order: '-date_to, -id', limit: 1 },
  );
  return before?.closing ?? null;
}

/** The statement after this one may have missed it. */
async function closeGap(
  env: Env,
  accountId: number,
  { id, to, closing }: Pick<FileStatement, 'to' | 'closing'> & { readonly id: number },
): Promise<void> {
  if (to === null || closing === null) return;
  const [after] = await env.model('bank.statement').searchRead(
    [
      ['account_id', '=', accountId],
      ['id', '!=', id],
      ['opening', '!=', null],
      ['date_from', '>=', to],
    ],
    ['opening'],
    { order: 'date_from, id', limit: 1 },
  );
  if (after?.opening == null) return;
  await env
    .sudo()
    .model('bank.statement')
    .write([after.id], { gap: after.opening.minus(closing) });
}

/** The account shows the balance of its last statement. */
async function keepBalance(env: Env, accountId: number): Promise<void> {
  const [last] = await env.model('bank.statement').searchRead(
    [
      ['account_id', '=', accountId],
      ['closing', '!=', null],
    ],
    ['closing', 'date_to'],
    { order: '-date_to, -id', limit: 1 },
  );
  if (!last) return;
  await env.sudo().model('bank.account').write([accountId], { balance: last.closing, balance_date: last.date_to });
}

function warningsOf(
  { opening, closing, from }: FileStatement,
  total: Decimal,
  gap: Decimal | null,
  shown: { readonly amount: (amount: Decimal) => string; readonly day: (day: string) => string },
): readonly Text[] {
  const warnings: Text[] = [];
  if (opening !== null && closing !== null && !opening.plus(total).eq(closing)) {
    const off = shown.amount(opening.plus(total).minus(closing));
    warnings.push(text('Opening balance and entries differ from the closing balance by {amount}.', { amount: off }));
  }
  if (gap !== null && !gap.eq(0) && from !== null) {
    const values = { amount: shown.amount(gap), day: shown.day(from) };
    warnings.push(text('The balance differs by {amount} from the statement before {day}. One is missing.', values));
  }
  return warnings;
}
