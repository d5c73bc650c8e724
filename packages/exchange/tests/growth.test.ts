import { assembleRegistry, defineModel, type Env, type Field, fields } from '@kontor/orm';
import { csvRows, guardCell, parseDomain, splitList, unguardCell } from '@kontor/protocol';
import { createTestKernel, makeWorkbook, type TestKernel } from '@kontor/testing';
import { growthOf, linearGrowth } from '@kontor/testing/growth';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSheet } from '../document/sheet.ts';
import { proposeMapping } from '../import/guess-fields.ts';
import { columnsIn, guessColumn } from '../import/guess-types.ts';
import { openTable } from '../import/open-table.ts';
import { readWorkbook } from '../import/workbook/read-workbook.ts';
import { readPieces } from '../pieces/read-pieces.ts';

let world: TestKernel;
let rich: Field;
beforeAll(async () => {
  world = await createTestKernel();
  const model = defineModel('test.thing', { fields: { it: fields.html() } });
  const registry = assembleRegistry([{ module: 'test', definitions: [model] }]);
  rich = registry.model('test.thing').fields.get('it') as Field;
});
afterAll(() => world.close());

const sheet = (xml: string, parts = {}) => readWorkbook(makeWorkbook({ sheets: { One: xml }, parts }));
const one = '<row r="1"><c r="A1"><v>1</v></c></row>';
const html = (text: string) => rich.kind.cast(text, rich);
const guess = (headers: readonly string[], rows: number) =>
  columnsIn(`${headers.join()}\n${`${headers.map((_, at) => `value ${at}`).join()}\n`.repeat(rows)}`, headers).map(
    guessColumn,
  );
const most = 1_000_000;
const records = (xml: string) => {
  const content = Buffer.from(`<a><b>${xml}</b></a>`);
  return readPieces(content, { kind: 'xml', level: 2, attributes: ['a1'], most }, () => {});
};
const rowsOf = (csv: string) => readPieces(Buffer.from(csv), { kind: 'csv', most }, () => {});
const print = (text: string) =>
  world.work(async (env: Env) => {
    const page = await openSheet(env, { title: 'A', author: 'B', lang: 'en_US' });
    page.write(text);
    return page.close('C');
  });

/** What a caller can send, and the size at which work that grows with its square takes seconds. */
const readers: Readonly<Record<string, readonly [size: number, read: (n: number) => unknown]>> = {
  'equal names of columns': [100_000, (n) => openTable(`${'name,'.repeat(n)}x\n1\n`)],
  'nameless columns': [100_000, (n) => openTable(`${',x'.repeat(n)}\n1\n`)],
  'quotes in a cell': [200_000, (n) => [...csvRows(`"${'""'.repeat(n)}"\n`, ',')]],
  'lists in a cell': [100_000, (n) => splitList('"a,b",'.repeat(n))],
  'cells that look like formulas': [100_000, (n) => unguardCell(guardCell(`;'"=`.repeat(n)))],
  'columns to be guessed': [
    100,
    (n) =>
      proposeMapping(
        Array.from({ length: n }, (_, at) => `Amount ${at}`),
        [],
      ),
  ],
  'signs in an attribute': [200_000, (n) => sheet(`<row r="1"><c r="A1" x="${'>'.repeat(n)}"><v>1</v></c></row>`)],
  'attributes of a tag': [20_000, (n) => sheet(`<row r="1"><c ${'r '.repeat(n)} r="A1"><v>1</v></c></row>`)],
  'empty rows': [50_000, (n) => sheet('<row/>'.repeat(n))],
  'empty texts': [50_000, (n) => sheet(one, { 'xl/sharedStrings.xml': `<sst>${'<si/>'.repeat(n)}</sst>` })],
  formats: [50_000, (n) => sheet(one, { 'xl/styles.xml': `<x><cellXfs>${'<xf/>'.repeat(n)}</cellXfs></x>` })],
  'tags that stay open': [20_000, (n) => html(`${'<b>'.repeat(n)}${'</i>'.repeat(n)}`)],
  'list items that stay open': [5_000, (n) => html('<li>a'.repeat(n))],
  'tags that stay open between ends of others': [12_000, (n) => html('<b></x>'.repeat(n))],
  'tags whose ends are in comments': [8_000, (n) => html('<b><!--</b>-->'.repeat(n))],
  'tags that close each other only as neighbours': [10_000, (n) => html('<p><li></x>'.repeat(n))],
  'ends of tags that were never open': [50_000, (n) => html('</i>'.repeat(n))],
  'signs of tags': [25_000, (n) => html('<'.repeat(n))],
  'attributes without an end': [20_000, (n) => html('<a href="x '.repeat(n))],
  entities: [50_000, (n) => html('&lt'.repeat(n))],
  'rows of a spreadsheet that becomes a model': [1_000, (n) => guess(['a', 'b', 'c'], n)],
  'columns of a spreadsheet that becomes a model': [
    100,
    (n) =>
      guess(
        Array.from({ length: n }, (_, at) => `c${at}`),
        300,
      ),
  ],
  'long cells of a spreadsheet that becomes a model': [
    100_000,
    (n) => columnsIn(`a,b\n${'1 '.repeat(n)},${'.'.repeat(n)}\n`, ['a', 'b']).map(guessColumn),
  ],
  'tags of a file of records': [20_000, (n) => records('<x/>'.repeat(n))],
  'attributes of a file of records': [
    20_000,
    (n) => records(`<x ${Array.from({ length: n }, (_, at) => `a${at}=""`).join(' ')}/>`),
  ],
  'depth of a file of records': [5_000, (n) => records(`${'<x>'.repeat(n)}${'</x>'.repeat(n)}`)],
  'a text in a file of records': [100_000, (n) => records(`<x>${'a&amp;'.repeat(n)}</x>`)],
  'rows of records': [20_000, (n) => rowsOf('a;b;c\n'.repeat(n))],
  'cells of records': [50_000, (n) => rowsOf(`${'a;'.repeat(n)}\n`)],
  'a word that is printed': [4_000, (n) => print('x'.repeat(n))],
  'a text that is printed': [4_000, (n) => print('ab '.repeat(n / 3))],
  'a text to look for': [500_000, (n) => parseDomain([['name', 'ilike', 'x'.repeat(n)]])],
};

it.each(Object.entries(readers))(
  'CST-8 four times as much costs about four times as much: %s',
  async (_, [n, read]) => {
    expect(await growthOf(read, n)).toBeLessThan(linearGrowth);
  },
);
