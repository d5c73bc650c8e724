import { Decimal } from '@kontor/addon';
import { isLong } from '@kontor/testing';
import { growthOf, linearGrowth } from '@kontor/testing/growth';
import { expect, it } from 'vitest';
import { readCamt } from '../file/camt.ts';
import { findTable, proposeMapping } from '../file/csv-columns.ts';
import { readCsvRows, readCsvStatement } from '../file/csv-statement.ts';
import { keysOf } from '../file/entry-key.ts';
import { amountKey, type Book, type OpenInvoice } from '../match/book.ts';
import { type Matched, suggestAll } from '../match/suggest.ts';
import { camt, type Line } from './files.ts';

const xml = async (entries: readonly (Line | string)[]) => {
  const statements = await readCamt(Buffer.from(camt({ entries })));
  return statements.flatMap(({ entries: found }) => keysOf(found));
};
const csv = async (text: string) => {
  const table = findTable(await readCsvRows(Buffer.from(text)), null);
  return table && readCsvStatement(table, proposeMapping(table));
};
const many = (n: number, entry: Line) => Array.from({ length: n }, () => entry);
const batch = (n: number) =>
  `<Ntry><Amt Ccy="EUR">${n}.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-11-05</Dt></BookgDt><NtryDtls>${'<TxDtls><Amt Ccy="EUR">1.00</Amt></TxDtls>'.repeat(n)}</NtryDtls></Ntry>`;

/** A customer who owes very many invoices. */
function bookOf(n: number): Book {
  const invoices = Array.from(
    { length: n },
    (_, id): OpenInvoice => ({
      ...{ id, name: `INV-${id}`, type: 'invoice', partnerId: 1, partnerName: 'Ada', currencyId: 1 },
      ...{ due: new Decimal(`${id + 1}.01`), dueDate: '2026-11-05', reference: null },
    }),
  );
  return {
    ...{ invoices: new Map(invoices.map((each) => [each.id, each])), byNumber: new Map(), byDigits: new Map() },
    byPartner: new Map([[1, invoices]]),
    byAmount: new Map(invoices.map((each) => [amountKey('invoice', 1, each.due), [each]])),
    ...{ byName: new Map(), payers: new Map([['DE1', [{ id: 1, name: 'Ada' }]]]), currencies: new Map() },
  };
}
const entries = Array.from(
  { length: 20 },
  (_, id): Matched => ({
    ...{ id, amount: new Decimal(1_000_000_000 + id), currencyId: 1, party: 'Ada', iban: 'DE1', reference: null },
    ...{ text: 'many', sent: null, isReturn: false },
  }),
);

/** What is in a file of a bank, with a size at which work that grows with its square takes seconds. */
const readers: Readonly<Record<string, readonly [size: number, read: (n: number) => unknown]>> = {
  entries: [500, (n) => xml(many(n, { amount: '1.00', party: 'Ada', text: 'INV-1' }))],
  'parts of a batch': [1_000, (n) => xml([batch(n)])],
  'words of an entry': [200_000, (n) => xml([{ amount: '1.00', text: 'a '.repeat(n) }])],
  'facts of an entry': [10_000, (n) => xml([{ amount: '1.00', more: '<x/>'.repeat(n) }])],
  'lines of a CSV file': [2_000, (n) => csv(`Datum;Betrag;Name\n${'01.11.2026;1,00;Ada\n'.repeat(n)}`)],
  'lines above the table': [2_000, (n) => csv(`${'a;b\n'.repeat(n)}Datum;Betrag;Name\n01.11.2026;1,00;Ada\n`)],
  'columns of a CSV file': [
    100,
    (n) => csv(`Datum;Betrag${';c'.repeat(n)}\n${`01.11.2026;1,00${';x'.repeat(n)}\n`.repeat(50)}`),
  ],
  'words of a cell': [200_000, (n) => csv(`Datum;Betrag;Name\n01.11.2026;1,00;${'a '.repeat(n)}\n`)],
  'digits of a cell': [100_000, (n) => csv(`Datum;Betrag;Name\n01.11.2026;${'1.'.repeat(n)};Ada\n`)],
  'open invoices of a customer': [5_000, (n) => suggestAll(entries, bookOf(n))],
};

/** A part of it in `npm test`. */
const share = isLong ? 1 : 0.25;

it.each(Object.entries(readers))(
  'CST-8 four times as much costs about four times as much: %s',
  async (_, [n, read]) => {
    expect(await growthOf(read, n * share)).toBeLessThan(linearGrowth);
  },
);
