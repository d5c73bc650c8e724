import { assembleRegistry, defineModel, type Env, type Field, fields } from '@kontor/orm';
import { csvRows, guardCell, parseDomain, splitList, unguardCell } from '@kontor/protocol';
import { createTestKernel, makeWorkbook, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSheet } from '../document/sheet.ts';
import { proposeMapping } from '../import/guess-fields.ts';
import { openTable } from '../import/open-table.ts';
import { readWorkbook } from '../import/workbook/read-workbook.ts';

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
  'a word that is printed': [4_000, (n) => print('x'.repeat(n))],
  'a text that is printed': [4_000, (n) => print('ab '.repeat(n / 3))],
  'a text to look for': [500_000, (n) => parseDomain([['name', 'ilike', 'x'.repeat(n)]])],
};

/** The least CPU time of some runs, in microseconds; what is refused is refused after so much work. */
async function costOf(read: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    await Promise.resolve(read()).catch(() => {});
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  return least;
}

const quietly = (read: (n: number) => unknown, n: number) => async () => {
  try {
    await read(n);
  } catch {
    // A refusal is an answer too.
  }
};

it.each(Object.entries(readers))(
  'CST-8 four times as much costs about four times as much: %s',
  async (_, [n, read]) => {
    const small = await costOf(quietly(read, n));
    const large = await costOf(quietly(read, 4 * n));
    // With the square it would be sixteen times as much. Below some milliseconds it is the machine that is measured.
    const most = Math.max(small, 15_000) * 9;
    expect(large).toBeLessThan(most);
  },
);
