import { sql } from '@kontor/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../browser.ts';
import { startShop } from '../shop.ts';
import type { TestServer } from '../test-server.ts';
import { badCells, confirm, counts, stage } from './upload-csv.ts';

let world: TestServer;
let admin: Browser;
const order = 'shop.order';
beforeAll(async () => {
  world = await startShop();
  admin = await world.signedIn();
});
afterAll(() => world.close());
beforeEach(() => world.kernel.database.execute(sql`delete from shop_order`));

const orders = (fields: unknown[]) =>
  admin.rpc<Record<string, unknown>[]>(order, 'search_read', [[], fields], { order: 'id' });

describe('upsert', () => {
  it('IMP-8 finds records by id, by external id and by a unique field', async () => {
    const id = await admin.rpc<number>(order, 'create', [{ name: 'U1', note: 'old' }]);
    const upsert = async (csv: string) =>
      counts(await confirm(admin, await stage(admin, csv, { import_mode: 'upsert' })));
    expect(await upsert(`id,name,note\n${id},U1,by id\nmine.second,U2,new\nthird,U3,new\n`)).toBe(
      'imported_2_updated_1_skipped_0',
    );
    expect(await upsert('id,note\nmine.second,by external id\nimport.third,too\n')).toBe(
      'imported_0_updated_2_skipped_0',
    );
    expect(await upsert('name,note\nU1,by name\nU4,fresh\n')).toBe('imported_1_updated_1_skipped_0');
    expect((await orders(['name', 'note'])).map(({ name, note }) => `${name} ${note}`)).toEqual([
      ...['U1 by name', 'U2 by external id', 'U3 too', 'U4 fresh'],
    ]);
  });

  it('IMP-8 leaves an external id to the record that has it, though the person may not see that record', async () => {
    const { browser: clerk } = await world.user('Hans Hijack', ['base.group_user', 'shop.group_clerk']);
    const upsert = async (browser: Browser, csv: string) =>
      confirm(browser, await stage(browser, csv, { import_mode: 'upsert' }));
    await upsert(admin, 'id,name,note\nmine.hidden,H1,secret\n');
    const rule = { name: 'Hidden', model: order, domain: [['note', '!=', 'secret']] };
    const ruleId = await admin.rpc<number>('sys.rule', 'create', [rule]);
    const answer = await upsert(clerk, 'id,name\nmine.hidden,H2\n');
    await admin.rpc('sys.rule', 'unlink', [[ruleId]]);
    expect(badCells(answer).map(({ column, message }) => `${column}: ${message}`)).toEqual([
      'id: The external id mine.hidden belongs to another record. Choose another one.',
    ]);
    await upsert(admin, 'id,note\nmine.hidden,still mine\n');
    expect(await orders(['name', 'note'])).toMatchObject([{ name: 'H1', note: 'still mine' }]);
  });

  it('IMP-8 says which ids and keys do not work', async () => {
    const id = await admin.rpc<number>(order, 'create', [{ name: 'K1' }]);
    const refused = async (csv: string, mode = 'upsert', mapping?: object) =>
      badCells(
        await confirm(
          admin,
          await stage(admin, csv, { import_mode: mode }),
          mapping ? { column_mapping: JSON.stringify(mapping) } : {},
        ),
      ).map(({ row, column, message }) => `${row} ${column}: ${message}`);
    expect(await refused(`id,note\n99999,x\n${id},a\n${id},b\nbase.mine,c\n`)).toEqual([
      '2 id: There is no Order with the ID 99999.',
      '4 id: Row 3 has the same value.',
      '5 id: External ids of base belong to that module. Choose another prefix.',
    ]);
    expect(await refused('name\nK1\n', 'create')).toEqual(['2 name: There is a record with this value already: K1.']);
    expect(await refused(`id,name\n${id},K2\n`, 'create', { id: 'id', name: 'name' })).toEqual([
      expect.stringContaining('New records get their ID from the server'),
    ]);
    const none = await confirm(admin, await stage(admin, 'note\nx\n', { import_mode: 'upsert' }));
    expect(none.error?.message).toContain('To update records, map a column to the ID');
  });
});
