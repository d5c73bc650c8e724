import { type CsvPiece, Decimal, readPieces, text, ValidationError } from '@kontor/addon';
import { accountNumber, oneLine, referenceOf } from './clean.ts';
import type { ColumnRole, CsvMapping, CsvTable } from './csv-columns.ts';
import { readDay } from './read-day.ts';
import { readAmount } from './read-number.ts';
import { type FileEntry, type FileStatement, mostEntries } from './statement.ts';

const aboveTable = 100;

export async function readCsvRows(content: Buffer): Promise<readonly CsvPiece[]> {
  const rows: CsvPiece[] = [];
  await readPieces(content, { kind: 'csv', most: mostEntries + aboveTable }, (row) => rows.push(row));
  return rows;
}

/** More problems than these say nothing new. */
const mostProblems = 5;

/** Entries of a table, or what is wrong in which rows. */
export function readCsvStatement({ headers, rows }: CsvTable, mapping: CsvMapping): FileStatement {
  const places = new Map<ColumnRole, number[]>();
  for (const [index, header] of headers.entries()) {
    const role = mapping.columns[header];
    if (role) places.set(role, [...(places.get(role) ?? []), index]);
  }
  const entries: FileEntry[] = [];
  const problems: ReturnType<typeof text>[] = [];
  for (const { row, cells } of rows) {
    const cell = (role: ColumnRole): string => cells[places.get(role)?.[0] ?? -1] ?? '';
    // Sums and remarks below the table have no day.
    if (cell('date') === '') continue;
    const date = readDay(cell('date'), mapping.days);
    const amount = amountOf(cell, mapping);
    if (date === null)
      problems.push(text('Row {row}: "{value}" is no date.', { row, value: cell('date').slice(0, 40) }));
    else if (typeof amount === 'string') {
      problems.push(text('Row {row}: "{value}" is no amount.', { row, value: amount.slice(0, 40) }));
    } else {
      const joined = (places.get('text') ?? []).map((index) => cells[index] ?? '').join(' ');
      entries.push(entryOf({ cell, mapping, date, amount, words: joined, index: entries.length }));
    }
    if (problems.length === mostProblems) break;
  }
  if (problems.length > 0) throw new ValidationError({ file: problems }, problems[0]);
  const days = entries.map(({ date }) => date).sort();
  return {
    ...{ name: null, account: null, currency: null, opening: null, closing: null, pending: 0, entries },
    from: days[0] ?? null,
    to: days.at(-1) ?? null,
  };
}

interface Row {
  readonly cell: (role: ColumnRole) => string;
  readonly mapping: CsvMapping;
  readonly date: string;
  readonly amount: Decimal;
  readonly words: string;
  readonly index: number;
}

function entryOf({ cell, mapping, date, amount, words, index }: Row): FileEntry {
  const currency = /^[A-Za-z]{3}$/.test(cell('currency')) ? cell('currency').toUpperCase() : null;
  const reference = referenceOf(cell('bank_reference'));
  return {
    ...{ date, amount, currency },
    valueDate: readDay(cell('value_date'), mapping.days),
    party: oneLine(cell('party'), 200),
    iban: accountNumber(cell('iban')),
    reference: referenceOf(cell('reference')),
    text: oneLine(words, 1_000),
    ...{ endToEnd: null, sent: null, isReturn: false, isFee: false },
    bankReference: reference,
    batch: { index, reference, date, amount, currency },
  };
}

/** The amount; as a text: what is none. */
function amountOf(cell: Row['cell'], { columns, mark }: CsvMapping): Decimal | string {
  const roles = Object.values(columns);
  if (roles.includes('amount')) {
    const amount = readAmount(cell('amount'), mark);
    if (amount === null) return cell('amount');
    const direction = cell('direction').toUpperCase();
    return amount.gt(0) && /^(?:S|D|DR|DEBIT|DBIT|SOLL|AF|مدين)$/.test(direction) ? amount.times(-1) : amount;
  }
  const [out, into] = (['debit', 'credit'] as const).map((role) =>
    cell(role) === '' ? new Decimal(0) : readAmount(cell(role), mark),
  );
  if (!out) return cell('debit');
  if (!into) return cell('credit');
  // Some banks write what goes out with a minus, others do not.
  return into.minus(out.lt(0) ? out.times(-1) : out);
}
