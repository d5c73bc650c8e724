import { type DayOrder, dayOrders, orderOf } from './read-day.ts';
import { type DecimalMark, markOf } from './read-number.ts';

/** What a column of a CSV file may be. Several columns may be texts; they are joined. */
export const columnRoles = [
  ...(['date', 'value_date', 'amount', 'debit', 'credit', 'direction'] as const),
  ...(['party', 'iban', 'reference', 'text', 'bank_reference', 'currency'] as const),
] as const;
export type ColumnRole = (typeof columnRoles)[number];

/** How the files of an account are read: by the names of their columns. */
export interface CsvMapping {
  readonly columns: Readonly<Record<string, ColumnRole>>;
  readonly mark: DecimalMark;
  readonly days: DayOrder;
}

/** Names that banks give their columns, without accents, brackets and currencies. */
const known: Readonly<Record<ColumnRole, readonly string[]>> = {
  date: [
    ...['date', 'booking date', 'transaction date', 'posting date', 'completed date', 'buchungstag', 'buchungsdatum'],
    ...['datum', 'buchung', 'date comptable', 'date de comptabilisation', 'date operation', 'date d operation'],
    ...['fecha', 'fecha operacion', 'data', 'data contabile', 'boekdatum', 'التاريخ', 'تاريخ'],
  ],
  value_date: ['value date', 'valuta', 'valutadatum', 'wertstellung', 'date de valeur', 'date valeur', 'fecha valor'],
  amount: [
    ...[
      'amount',
      'transaction amount',
      'betrag',
      'umsatz',
      'montant',
      'importe',
      'importo',
      'bedrag',
      'المبلغ',
      'مبلغ',
    ],
  ],
  debit: ['debit', 'debit amount', 'soll', 'belastung', 'ausgang', 'money out', 'paid out', 'withdrawal', 'مدين'],
  credit: ['credit', 'credit amount', 'haben', 'gutschrift', 'eingang', 'money in', 'paid in', 'deposit', 'دائن'],
  direction: ['direction', 'soll haben', 's h', 'credit debit', 'debit credit', 'sens', 'af bij', 'dr cr'],
  party: [
    ...[
      'name',
      'payer',
      'payee',
      'counterparty',
      'counterparty name',
      'partner name',
      'beguenstigter zahlungspflichtiger',
    ],
    ...['begunstigter zahlungspflichtiger', 'auftraggeber empfanger', 'auftraggeber', 'name zahlungsbeteiligter'],
    ...['zahlungspflichtiger', 'zahlungspflichtige r', 'zahler', 'sender', 'donneur d ordre', 'contrepartie', 'tiers'],
    ...['nom', 'ordenante', 'ordinante', 'naam', 'الاسم'],
  ],
  iban: [
    ...['iban', 'payer iban', 'counterparty iban', 'counterparty account', 'partner iban', 'iban zahlungsbeteiligter'],
    ...['kontonummer iban', 'kontonummer', 'account number', 'iban des donneurs', 'tegenrekening', 'آيبان'],
  ],
  reference: [
    ...['creditor reference', 'structured reference', 'kundenreferenz', 'end to end', 'end to end id'],
    ...['strukturierte referenz', 'reference du creancier', 'reference', 'المرجع'],
  ],
  text: [
    ...[
      'text',
      'description',
      'details',
      'purpose',
      'verwendungszweck',
      'buchungstext',
      'mitteilung',
      'libelle',
      'motif',
    ],
    ...[
      'communication',
      'concepto',
      'causale',
      'descrizione',
      'omschrijving',
      'remittance information',
      'memo',
      'البيان',
    ],
  ],
  bank_reference: ['transaction id', 'bank reference', 'transaktions id', 'referenz', 'id', 'reference de la banque'],
  currency: ['currency', 'wahrung', 'waehrung', 'devise', 'moneda', 'valuta code', 'العملة'],
};

const roleOf = new Map(columnRoles.flatMap((role) => known[role].map((name) => [name, role] as const)));

function plain(header: string): string {
  return header
    .toLowerCase()
    .normalize('NFD')
    .replaceAll(/(?<=[a-z])\p{Mn}/gu, '')
    .replaceAll(/\([^)]*\)/g, ' ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/ in [a-z]{3} *$/, '')
    .trim();
}

export interface CsvTable {
  readonly headers: readonly string[];
  /** Rows of the file, counted as a spreadsheet does. */
  readonly rows: readonly { readonly row: number; readonly cells: readonly string[] }[];
}

type FileRows = CsvTable['rows'];

/** Above the table there may be lines about the account. */
const linesAbove = 40;

/** The table of a file: below the row that names its columns. */
export function findTable(rows: FileRows, mapping: CsvMapping | null): CsvTable | null {
  const top = rows.slice(0, linesAbove);
  const wanted = Object.keys(mapping?.columns ?? {});
  const saved =
    mapping && top.findIndex(({ cells }) => wanted.length > 0 && wanted.every((name) => namesOf(cells).includes(name)));
  if (saved !== null && saved >= 0) return tableAt(rows, saved);
  const counts = top.map(({ cells }) => new Set(cells.map((cell) => roleOf.get(plain(cell))).filter(Boolean)).size);
  const most = Math.max(0, ...counts);
  if (most >= 2) return tableAt(rows, counts.indexOf(most));
  const widths = top.map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const widest = Math.max(0, ...widths);
  return widest < 2 ? null : tableAt(rows, widths.indexOf(widest));
}

function tableAt(rows: FileRows, at: number): CsvTable {
  return { headers: namesOf(rows[at]?.cells ?? []), rows: rows.slice(at + 1) };
}

/** Each name once, so that a mapping is by name. */
function namesOf(cells: readonly string[]): string[] {
  const names: string[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = cell.slice(0, 100) || `${index + 1}`;
    let unique = name;
    for (let n = 2; names.includes(unique); n++) unique = `${name} (${n})`;
    names.push(unique);
  }
  return names;
}

const sampleRows = 200;

/** What the columns are, by their names and what is in them. */
export function proposeMapping({ headers, rows }: CsvTable): CsvMapping {
  const columns: Record<string, ColumnRole> = {};
  const taken = new Set<ColumnRole>();
  for (const header of headers) {
    const role = roleOf.get(plain(header));
    if (role === undefined || (role !== 'text' && taken.has(role))) continue;
    columns[header] = role;
    taken.add(role);
  }
  const cellsOf = (roles: readonly ColumnRole[]) =>
    rows
      .slice(0, sampleRows)
      .flatMap(({ cells }) =>
        headers.flatMap((header, index) => (roles.includes(columns[header] as ColumnRole) ? [cells[index] ?? ''] : [])),
      );
  return {
    columns,
    mark: markOf(cellsOf(['amount', 'debit', 'credit'])) ?? ',',
    days: orderOf(cellsOf(['date'])) ?? 'dmy',
  };
}

/** Whether entries can be read with it. */
export function isComplete({ columns }: CsvMapping): boolean {
  const roles = Object.values(columns);
  const once = (role: ColumnRole) => roles.filter((each) => each === role).length === 1;
  return once('date') && (once('amount') || once('debit') || once('credit'));
}

const longestName = 100;
const mostColumns = 60;

/** A mapping as a person or a program gives it; null: it is none. */
export function mappingIn(given: unknown): CsvMapping | null {
  if (typeof given !== 'object' || given === null) return null;
  const { columns, mark, days } = given as Record<string, unknown>;
  if (typeof columns !== 'object' || columns === null || Array.isArray(columns)) return null;
  const entries = Object.entries(columns as Record<string, unknown>);
  const isRole = (value: unknown) => columnRoles.some((role) => role === value);
  if (entries.length > mostColumns) return null;
  if (!entries.every(([name, role]) => name.length <= longestName && isRole(role))) return null;
  if ((mark !== ',' && mark !== '.') || !dayOrders.some((order) => order === days)) return null;
  return { columns: Object.fromEntries(entries) as CsvMapping['columns'], mark, days: days as DayOrder };
}
