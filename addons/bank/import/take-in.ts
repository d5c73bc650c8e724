import { type Env, text, ValidationError } from '@kontor/addon';
import { readCamt } from '../file/camt.ts';
import { compact } from '../file/clean.ts';
import { type CsvMapping, type CsvTable, findTable, isComplete, proposeMapping } from '../file/csv-columns.ts';
import { readCsvRows, readCsvStatement } from '../file/csv-statement.ts';
import { type FileStatement, mostBytes } from '../file/statement.ts';
import { storeStatement } from './store-statement.ts';

export interface BankFile {
  readonly content: Buffer;
  readonly fileName: string;
  /** For files that do not name their account. */
  readonly accountId: number | null;
  readonly mapping: CsvMapping | null;
  /** Whether an account that is not known yet is created. */
  readonly createsAccount: boolean;
}

/** What became of a file, or what is missing to read it. */
export type TakenIn =
  | {
      readonly taken: { readonly entries: number; readonly known: number; readonly pending: number };
      readonly accountId: number;
      readonly statementIds: readonly number[];
      readonly warnings: readonly ReturnType<typeof text>[];
    }
  | { readonly needs: 'account'; readonly account: string; readonly currency: string | null }
  | { readonly needs: 'choice' }
  | {
      readonly needs: 'mapping';
      readonly accountId: number;
      readonly headers: readonly string[];
      readonly preview: readonly (readonly string[])[];
      readonly mapping: CsvMapping;
    };

const previewRows = 8;

/** Takes the entries of a bank file in, each once. */
export async function takeIn(env: Env, file: BankFile): Promise<TakenIn> {
  if (file.content.length > mostBytes) {
    throw refuse(text('A bank file has at most {most} MB.', { most: mostBytes / 1_000_000 }));
  }
  return isXml(file.content) ? takeCamt(env, file) : takeCsv(env, file);
}

function isXml(content: Buffer): boolean {
  const start = content
    .toString('latin1', 0, 200)
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '');
  return /^\s*</.test(start);
}

async function takeCamt(env: Env, file: BankFile): Promise<TakenIn> {
  const statements = await readCamt(file.content);
  const accounts = new Set(statements.map(({ account }) => account));
  const [account] = accounts;
  if (accounts.size > 1)
    throw refuse(text('The file has statements of several accounts. Download one for each account.'));
  if (!account) throw refuse(text('The file does not name its account.'));
  const known = await accountOf(env, account);
  if (known !== null) return store(env, known, statements, file);
  const [{ currency = null } = {}] = statements;
  if (!file.createsAccount) return { needs: 'account', account, currency };
  return store(env, await createAccount(env, account, currency), statements, file);
}

/** The account with this number in the active company. */
async function accountOf(env: Env, number: string): Promise<number | null> {
  const [id = null] = await env.model('bank.account').search([
    ['iban', '=', compact(number)],
    ['company_id', '=', env.actor.companyId],
  ]);
  return id;
}

async function createAccount(env: Env, iban: string, currency: string | null): Promise<number> {
  const [found] = currency === null ? [] : await env.model('core.currency').search([['name', '=', currency]]);
  if (currency !== null && found === undefined) throw unknownCurrency(currency);
  const name = `${iban.slice(0, 4)} … ${iban.slice(-4)}`;
  return env.model('bank.account').create({ name, iban, ...(found === undefined ? {} : { currency_id: found }) });
}

async function takeCsv(env: Env, file: BankFile): Promise<TakenIn> {
  const accountId = file.accountId ?? (await onlyAccount(env));
  if (accountId === null) return { needs: 'choice' };
  const [account] = await env.model('bank.account').read([accountId], ['csv_mapping']);
  const saved = (account?.csv_mapping ?? null) as CsvMapping | null;
  const rows = await readCsvRows(file.content);
  const table = findTable(rows, file.mapping ?? saved);
  if (table === null) throw refuse(text('The file has no table. Choose a CAMT file or a CSV file of the bank.'));
  const mapping = file.mapping ?? (fits(table, saved) ? saved : null);
  if (mapping === null || !fits(table, mapping)) {
    const preview = table.rows.slice(0, previewRows).map(({ cells }) => table.headers.map((_, at) => cells[at] ?? ''));
    const proposed = file.mapping ?? proposeMapping(table);
    return { needs: 'mapping', accountId, headers: table.headers, preview, mapping: proposed };
  }
  if (file.mapping !== null) {
    // As the server: a file is read by those who invoice, accounts are set up by managers.
    await env
      .sudo()
      .model('bank.account')
      .write([accountId], { csv_mapping: { ...file.mapping } });
  }
  return store(env, accountId, [readCsvStatement(table, mapping)], file);
}

function fits({ headers }: CsvTable, mapping: CsvMapping | null): boolean {
  return (
    mapping !== null && isComplete(mapping) && Object.keys(mapping.columns).every((name) => headers.includes(name))
  );
}

async function onlyAccount(env: Env): Promise<number | null> {
  const [id = null, ...others] = await env
    .model('bank.account')
    .search([['company_id', '=', env.actor.companyId]], { limit: 2 });
  return others.length === 0 ? id : null;
}

async function store(
  env: Env,
  accountId: number,
  statements: readonly FileStatement[],
  { fileName }: BankFile,
): Promise<TakenIn> {
  // Counting locks the account, so that two uploads do not take the same entries in. As the server: see above.
  const [account] = await env.model('bank.account').read([accountId], ['imports']);
  await env
    .sudo()
    .model('bank.account')
    .write([accountId], { imports: (account?.imports ?? 0) + 1 });
  let [entries, known, pending] = [0, 0, 0];
  const statementIds: number[] = [];
  const warnings: ReturnType<typeof text>[] = [];
  const inOrder = [...statements].sort((a, b) => (a.from ?? '').localeCompare(b.from ?? ''));
  for (const statement of inOrder) {
    const stored = await storeStatement(env, { accountId, statement, fileName });
    entries += stored.entries;
    known += stored.known;
    pending += statement.pending;
    if (stored.id !== null) statementIds.push(stored.id);
    warnings.push(...stored.warnings);
  }
  return { taken: { entries, known, pending }, accountId, statementIds, warnings };
}

export function unknownCurrency(currency: string): ValidationError {
  return refuse(text('The currency {currency} is not set up.', { currency }));
}

function refuse(message: ReturnType<typeof text>): ValidationError {
  return new ValidationError({ file: [message] }, message);
}
