import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CsvError,
  csvLine,
  csvRows,
  type Delimiter,
  findDelimiter,
  guardCell,
  joinList,
  splitList,
  unguardCell,
} from '../index.ts';

describe('The guard against formulas', () => {
  it.each(['=1+1', '+49 30', '-5', '@here', '\tx', '\rx'])('EXP-4: puts a quote before %j', (text) => {
    expect(guardCell(text)).toBe(`'${text}`);
  });

  it.each(['', 'a=1', '5', "it's", "'quoted'", ' =1', 'a, -5', 'a\n5', '5-3', 'a;b'])(
    'EXP-4: leaves %j as it is',
    (text) => {
      expect(guardCell(text)).toBe(text);
      expect(unguardCell(text)).toBe(text);
    },
  );

  it.each([
    ['a;=1+1', "a;'=1+1"],
    ['a\t@x;-2', "a\t'@x;'-2"],
    ['- one\n- two\r\n+ three', "'- one\n'- two\r\n'+ three"],
    ['a|=1', "a|'=1"],
    ['a;"=1"', `a;'"=1"`],
    ["a;'=1", "a;''=1"],
  ])('EXP-4: guards %j for those who part cells by something else than commas', (text, guarded) => {
    expect(guardCell(text)).toBe(guarded);
    expect(unguardCell(guarded)).toBe(text);
  });

  it('EXP-4: no cell of a line is a formula, whatever the spreadsheet parts it by', () => {
    const cell = fc.string({ unit: fc.constantFrom('"', ',', ';', '|', '\t', '\r', '\n', "'", '=', '-', 'x', ' ') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 4 }), fc.constantFrom(';', '\t', '|'), (cells, by) => {
        const line = csvLine(['x', ...cells.map(guardCell)]);
        const asTold = [...csvRows(line, ',')].flatMap((row) => row.cells);
        // Our quotes stand where such a spreadsheet does not look for any.
        const otherwise = line.split(new RegExp(`[${by}\r\n]`)).map((each) => each.replace(/^"+/, ''));
        for (const each of [...asTold, ...otherwise]) expect(each).not.toMatch(/^[=+\-@\t\r]/);
      }),
      { numRuns: 500 },
    );
  });

  it('EXP-4: takes the quote off only where one of these characters follows', () => {
    expect(unguardCell("'=1+1")).toBe('=1+1');
    expect(unguardCell("'tis")).toBe("'tis");
  });

  it('EXP-4: gives back every text, also one that began with a quote', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom("'", '"', ';', '|', '\n', '=', '-', '\t', '\r', 'x') }),
    );
    fc.assert(fc.property(texts, (text) => unguardCell(guardCell(text)) === text));
  });
});

describe('CSV', () => {
  it('IMP-4 gives back every cell that was written, whatever is in it', () => {
    const cell = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '\r', '\n', "'", '=', 'x') }),
    );
    const rows = fc
      .integer({ min: 2, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }),
      );
    fc.assert(
      fc.property(
        rows,
        fc.constantFrom<Delimiter>(',', ';', '\t'),
        fc.constantFrom('\n', '\r\n', '\r'),
        (cells, delimiter, end) => {
          const quoted = cells.map((row) =>
            row.map((each) => `"${guardCell(each).replaceAll('"', '""')}"`).join(delimiter),
          );
          const read = [...csvRows(quoted.join(end) + end, delimiter)].map((row) => row.cells.map(unguardCell));
          expect(read).toEqual(cells);
        },
      ),
    );
  });

  it('IMP-4 reads what it writes', () => {
    const cells = fc.array(fc.string({ unit: fc.constantFrom('"', ',', ';', '\r', '\n', ' ', 'x') }), { minLength: 2 });
    fc.assert(
      fc.property(cells, (row) => {
        expect([...csvRows(csvLine(row), ',')].map((read) => read.cells)).toEqual([row]);
        expect(splitList(joinList(row))).toEqual(row.map((value) => value.trim()).filter((value) => value !== ''));
      }),
    );
  });

  it('MOD-3 says on which line a row begins', () => {
    const rows = [...csvRows('a,b\n"x\ny",1\r\n\n2,"z\r\nz\nz"\n3,4', ',')];
    expect(rows.map(({ row, line }) => [row, line])).toEqual([
      ...[
        [1, 1],
        [2, 2],
        [3, 4],
        [4, 5],
        [5, 8],
      ],
    ]);
  });

  it('IMP-4 says which row has a quote that is never closed', () => {
    const read = () => [...csvRows('a\n"b\nc\n', ',')];
    expect(read).toThrow(CsvError);
    expect(read).toThrow('a quote is opened and never closed');
  });

  it('IMP-4 finds what parts the columns in the header alone', () => {
    expect(['a,b;c,d', 'a;b\n1,2,3', '"a,b,c"\td', 'a'].map(findDelimiter)).toEqual([',', ';', '\t', ',']);
  });

  it('IMP-5 parts lists by commas, but not inside quotes', () => {
    expect(splitList('red, "blue, dark",,"say ""hi""" , 5" disk')).toEqual([
      'red',
      'blue, dark',
      'say "hi"',
      '5" disk',
    ]);
  });
});
