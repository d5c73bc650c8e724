import {
  createTestDatabase,
  isLong,
  makeWorkbook,
  preparedDatabase,
  type TestDatabase,
  testAdmin,
} from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from './browser.ts';
import { type BuiltServer, startBuiltServer } from './built-server.ts';
import { postCsv } from './import/upload-csv.ts';

let data: TestDatabase;
let server: BuiltServer;
let uploader: Browser;
let reader: Browser;
beforeAll(async () => {
  data = await createTestDatabase({ template: await preparedDatabase({ modules: ['sale'] }) });
  server = await startBuiltServer({ dsn: data.dsn });
  [uploader, reader] = [server.browser(), server.browser()];
  for (const one of [uploader, reader]) await one.signIn(testAdmin.email, testAdmin.password);
});
afterAll(async () => {
  await server?.stop();
  await data?.drop();
});

const upload = async (content: Buffer): Promise<number> => {
  const json = { headers: { accept: 'application/json' } };
  return (await postCsv(uploader, new Uint8Array(content), { model: 'core.partner' }, json)).status;
};

/** Work for about a second, in a long run for some seconds, and how it ends. */
const times = isLong ? 5 : 1;
type Given = readonly [name: string, status: number, make: () => Buffer];
const files: readonly Given[] = [
  [
    'a workbook',
    200,
    () => makeWorkbook({ sheets: { One: '<row><c><v>1</v></c></row>'.repeat(isLong ? 1_000_000 : 300_000) } }),
  ],
  ['a CSV file', 200, () => Buffer.from(`name\n${'x\n'.repeat(700_000 * times)}`)],
];
const oddFiles: readonly Given[] = [
  [
    'a workbook of one long tag',
    422,
    () => makeWorkbook({ sheets: { One: `<row ${'a="1" '.repeat(5_000_000 * times)}` } }),
  ],
  ['a CSV file of one row', 422, () => Buffer.from(',x'.repeat(700_000 * times))],
];

describe('CST-10 files are read in threads of their own', () => {
  it.each(isLong ? [...files, ...oddFiles] : files)(
    'CST-10 another person is answered many times while %s is read',
    async (_, status, make) => {
      const content = make();
      let isRead = false;
      let answered = 0;
      const reading = upload(content).finally(() => {
        isRead = true;
      });
      while (!isRead) {
        await reader.rpc('core.partner', 'search', [[]]);
        answered++;
      }
      expect([await reading, answered > 20]).toEqual([status, true]);
    },
  );
});

/** An order whose lines and note fill many pages, in a long run some hundred. */
async function longOrder(): Promise<number> {
  const partner = await uploader.rpc<number>('core.partner', 'create', [{ name: 'Ada' }]);
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
  const lines = Array.from({ length: isLong ? 200 : 60 }, (_, at) => [
    'create',
    { name: `${at} ${words(120)}`, quantity: 1 },
  ]);
  const note = words(isLong ? 50_000 : 6_000);
  return uploader.rpc<number>('sale.order', 'create', [{ partner_id: partner, line_ids: lines, note }]);
}

describe('CST-10 documents are drawn in threads of their own', () => {
  long('CST-10 another person is answered many times while a long quotation is drawn', async () => {
    const id = await longOrder();
    let isDrawn = false;
    let answered = 0;
    const drawing = uploader.get(`/web/sale/quotation/${id}.pdf`).then(async (answer) => {
      const bytes = Buffer.from(await answer.arrayBuffer());
      isDrawn = true;
      return [answer.status, bytes.subarray(0, 5).toString()];
    });
    while (!isDrawn) {
      await reader.rpc('core.partner', 'search', [[]]);
      answered++;
    }
    expect([await drawing, answered > 20]).toEqual([[200, '%PDF-'], true]);
  });
});
