import { sql } from '@kontor/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../browser.ts';
import { startShop } from '../shop.ts';
import type { TestServer } from '../test-server.ts';
import { badCells, batchOf, confirm, counts, stage } from './upload-csv.ts';

let world: TestServer;
let admin: Browser;
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from shop_order`));

const orders = () =>
  admin.rpc<Record<string, unknown>[]>(
    order,
    'search_read',
    [[], ['name', 'amount_total', { line_ids: ['name', 'qty', 'price'] }]],
    { order: 'id' },
  );
const lines = (record: Record<string, unknown>) =>
  (record.line_ids as { name: string; qty: number; price: string }[]).map(({ name, qty }) => `${name} ${qty}`);

describe('lines', () => {
  it('IMP-22 come with their record: rows without a value of their own go on with the one above', async () => {
    const csv = [
      'name,note,line_ids/name,line_ids/qty,line_ids/price',
      'O1,first,Screw,3,0.10',
      ',,Nail,5,0.20',
      'O2,no lines,,,',
      'O3,,Board,,7',
      ',,Saw,2,',
    ].join('\n');
    const id = await stage(admin, csv);
    expect(await batchOf(admin, id)).toMatchObject({
      ...{ total: 5, column_mapping: { name: 'name', 'line_ids/qty': 'line_ids/qty' } },
    });
    expect(counts(await confirm(admin, id))).toBe('imported_3_updated_0_skipped_0');
    const made = await orders();
    expect(made.map(lines)).toEqual([['Screw 3', 'Nail 5'], [], ['Board 1', 'Saw 2']]);
    expect(made.map((record) => Number(record.amount_total))).toEqual([1.3, 0, 7]);
  });

  it('IMP-22 are known by their labels, with or without that of the list', async () => {
    const id = await stage(admin, 'Name,Lines / Name,Qty,PRICE\nO1,Screw,3,1\n');
    expect((await batchOf(admin, id)).column_mapping).toEqual({
      ...{ Name: 'name', 'Lines / Name': 'line_ids/name', Qty: 'line_ids/qty', PRICE: 'line_ids/price' },
    });
  });

  it('IMP-22 a bad line is told by its own row, and its record is not written without it', async () => {
    const csv = [
      'name,line_ids/name,line_ids/qty',
      'O1,Screw,3',
      ',Nail,many',
      'O2,,2',
      'O3,Saw,-1',
      'O4,Board,4',
      ',Plank,1',
    ].join('\n');
    const id = await stage(admin, csv);
    const answer = await confirm(admin, id);
    expect(badCells(answer)).toEqual([
      { row: 3, column: 'line_ids/qty', message: 'Must be a number, such as 12.50.' },
      { row: 4, column: 'line_ids/name', message: 'A value is required.' },
      { row: 5, column: 'line_ids/qty', message: expect.stringContaining('0') },
    ]);
    expect(counts(await confirm(admin, id, { skip_invalid: '1' }))).toBe('imported_1_updated_0_skipped_4');
    expect((await orders()).map(lines)).toEqual([['Board 4', 'Plank 1']]);
    const rejects = (await (await admin.get(`/web/bulk/rejects?id=${id}`)).text()).split('\r\n');
    expect(rejects.slice(1, 3)).toEqual([expect.stringMatching(/^O1,Screw,3,.*Must be a number/), ',Nail,many,']);
  });

  it('IMP-22 stay together however the file is cut into parts, with as many statements for many as for few', async () => {
    const file = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, n) => `${prefix}${n},a,1\n,b,2\n,c,3`).join('\n');
    const sent = async (count: number, prefix: string) => {
      const id = await stage(admin, `name,line_ids/name,line_ids/qty\n${file(count, prefix)}\n`);
      const before = world.kernel.database.statements;
      expect(counts(await confirm(admin, id))).toBe(`imported_${count}_updated_0_skipped_0`);
      return world.kernel.database.statements - before;
    };
    const few = await sent(10, 'few');
    expect(await sent(150, 'many')).toBeLessThan(few + 10);
    await sent(180, 'more');
    const made = await orders();
    expect(new Set(made.map((record) => lines(record).join()))).toEqual(new Set(['a 1,b 2,c 3']));
  });

  it('IMP-23 an export to be imported again has a row for each line, and comes back as it was', async () => {
    await admin.rpc(order, 'create_many', [
      [
        {
          name: 'E1',
          note: '=1',
          line_ids: [
            ['create', { name: 'Screw', qty: 3 }],
            ['create', { name: 'Nail, long', qty: 5 }],
          ],
        },
        { name: 'E2' },
      ],
    ]);
    const csv = await (await admin.get(`/web/export/csv?model=${order}&fields=id,name,note,line_ids/*`)).text();
    const plain = csv.replaceAll(/(?<=^|,)\d+(?=,(?:E1|E2|Screw|"Nail))/gm, '#');
    expect(plain.replace('\ufeff', '').split('\r\n')).toEqual([
      'id,name,note,line_ids/id,line_ids/name,line_ids/qty,line_ids/price',
      "#,E1,'=1,#,Screw,3,0",
      ',,,#,"Nail, long",5,0',
      '#,E2,,,,,',
      '',
    ]);
    const unchanged = await confirm(admin, await stage(admin, csv, { import_mode: 'upsert' }), {}, { dry_run: true });
    expect(unchanged).toMatchObject({ result: { changes: [] } });
    const changed = csv.replace('Screw,3', 'Screw,30').replace('E2,,,,,', 'E2,,,Saw,1,9');
    expect(counts(await confirm(admin, await stage(admin, changed, { import_mode: 'upsert' })))).toBe(
      'imported_0_updated_2_skipped_0',
    );
    expect((await orders()).map(lines)).toEqual([['Screw 30', 'Nail, long 5'], ['Saw 1']]);
    await world.kernel.database.execute(sql`delete from shop_order`);
    expect(counts(await confirm(admin, await stage(admin, csv)))).toBe('imported_2_updated_0_skipped_0');
    expect((await orders()).map(lines)).toEqual([['Screw 3', 'Nail, long 5'], []]);
  });

  it('IMP-23 lines of another record are not taken over, and a template has the columns of lines', async () => {
    await admin.rpc(order, 'create_many', [[{ name: 'A', line_ids: [['create', { name: 'a' }]] }, { name: 'B' }]]);
    const [line] = await admin.rpc<{ id: number }[]>('shop.order.line', 'search_read', [[['name', '=', 'a']], []]);
    const csv = `name,line_ids/id,line_ids/name\nB,${line?.id},stolen\n`;
    const answer = await confirm(admin, await stage(admin, csv, { import_mode: 'upsert' }));
    expect(answer.status).toBe(422);
    expect((await orders()).map(lines)).toEqual([['a 1'], []]);
    const template = await (await admin.get(`/web/bulk/template?model=${order}&fields=id,name&lines=1`)).text();
    expect(template.replace('\ufeff', '')).toBe('id,name,line_ids/name,line_ids/qty,line_ids/price\r\n');
    const readable = await admin.get(`/web/export/csv?model=${order}&fields=name,line_ids/qty&readable=1`);
    expect(readable.status).toBe(400);
  });
});
