import { describe, expect, it } from 'vitest';
import { type CsvMapping, findTable, isComplete, mappingIn, proposeMapping } from '../file/csv-columns.ts';
import { readCsvRows, readCsvStatement } from '../file/csv-statement.ts';
import { readDay } from '../file/read-day.ts';
import { markOf, readAmount } from '../file/read-number.ts';

const open = async (source: string | Buffer, mapping: CsvMapping | null = null) => {
  const table = findTable(await readCsvRows(Buffer.from(source as string)), mapping);
  if (!table) throw new Error('There is no table.');
  const used = mapping ?? proposeMapping(table);
  return { table, mapping: used, read: () => readCsvStatement(table, used) };
};

describe('BNK-4 a CSV file of a bank', () => {
  it('BNK-4 of a German bank is recognised: lines above the table, commas, Latin-1 letters, several texts', async () => {
    const source = Buffer.from(
      [
        '"Kontonummer:";"DE89 3704 0044 0532 0130 00"',
        '"Zeitraum:";"01.11.2026 - 30.11.2026"',
        '',
        '"Buchungstag";"Wertstellung";"Auftraggeber / Empfänger";"Verwendungszweck";"Kontonummer";"Betrag (EUR)"',
        '"05.11.2026";"06.11.2026";"Müller & Söhne";"Invoice 0001";"DE02120300000000202051";"1.234,50"',
        '"06.11.2026";"";"Stadtwerke";"Strom; Nov";"";"-80,00"',
        '"";"";"Endsaldo";"";"";"1.154,50"',
      ].join('\r\n'),
      'latin1',
    );
    const { read, mapping } = await open(source);
    expect(mapping).toMatchObject({ mark: ',', days: 'dmy' });
    expect(read().entries.map((each) => [each.date, each.party, each.amount.toFixed(), each.iban, each.text])).toEqual([
      ['2026-11-05', 'Müller & Söhne', '1234.5', 'DE02120300000000202051', 'Invoice 0001'],
      ['2026-11-06', 'Stadtwerke', '-80', null, 'Strom; Nov'],
    ]);
  });

  it('BNK-4 may have debit and credit in columns of their own, or a sign as a word', async () => {
    const columns = await open('Date,Description,Paid out,Paid in\n2026-11-05,Card,12.00,\n2026-11-06,Rent,,900.00');
    expect(columns.read().entries.map(({ amount }) => amount.toFixed())).toEqual(['-12', '900']);
    const words = await open('Datum;Text;Betrag;Soll/Haben\n05.11.26;a;10,00;S\n05.11.26;b;20,00;H');
    expect(words.read().entries.map(({ amount }) => amount.toFixed())).toEqual(['-10', '20']);
  });

  it('BNK-4 is read by the saved mapping, also when columns move', async () => {
    const saved: CsvMapping = { columns: { When: 'date', Sum: 'amount', Who: 'party' }, mark: '.', days: 'mdy' };
    const { read } = await open('x\nWho,Sum,When\nAda,5.00,11/05/2026', saved);
    expect(read().entries).toMatchObject([{ date: '2026-11-05', party: 'Ada' }]);
    const unknown = await open('a;b;c\n1;2;3');
    expect(isComplete(unknown.mapping)).toBe(false);
  });

  it('BNK-4 says which rows are wrong, and takes no mapping that is none', async () => {
    const { read } = await open('Date;Amount\n2026-11-05;1,00\n2026-11-06;abc\n31.31.2026;2,00');
    expect(read).toThrow(/Row 3: "abc" is no amount/);
    for (const bad of [
      null,
      [],
      { columns: { a: 'nothing' }, mark: ',', days: 'dmy' },
      { columns: {}, mark: ';', days: 'dmy' },
    ]) {
      expect(mappingIn(bad)).toBeNull();
    }
    expect(mappingIn({ columns: { a: 'date' }, mark: ',', days: 'constructor' })).toBeNull();
  });

  it('BNK-4 has amounts and days in the formats of banks, and nothing else', () => {
    const amounts: readonly (readonly [string, ',' | '.', string | null])[] = [
      ['1.234,56', ',', '1234.56'],
      ["1'234.50", '.', '1234.5'],
      ['1 234,50-', ',', '-1234.5'],
      ['(5.00)', '.', '-5'],
      ['12.00 DR', '.', '-12'],
      ['+7', '.', '7'],
      ['€ 3,20', ',', null],
      ['3,20 €', ',', '3.2'],
      ['1,234,5', ',', null],
      ['1e5', '.', null],
      ['=1+1', '.', null],
      ['', ',', null],
    ];
    for (const [given, mark, wanted] of amounts) {
      expect(readAmount(given, mark)?.toFixed() ?? null, given).toBe(wanted);
    }
    expect([markOf(['1.234,56', '7,00']), markOf(['1,234.56']), markOf(['12.50', '3']), markOf(['x'])]).toEqual([
      ',',
      '.',
      '.',
      null,
    ]);
    expect([readDay('5.11.26', 'dmy'), readDay('20261105', 'dmy'), readDay('11/05/2026', 'mdy')]).toEqual(
      Array.from({ length: 3 }, () => '2026-11-05'),
    );
    expect([readDay('31.02.2026', 'dmy'), readDay('2026-13-01', 'ymd'), readDay('tomorrow', 'dmy')]).toEqual([
      null,
      null,
      null,
    ]);
  });
});
