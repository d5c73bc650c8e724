import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';
import { type RpcCall, watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

describe('bulk edit', () => {
  let app: Gallery;
  let list: TestPage;
  let calls: RpcCall[];
  let tags: { oil: number; ink: number };
  let artist: number;
  let ids: number[];
  beforeAll(async () => {
    app = await openGallery();
    tags = { oil: await app.make('tag', { name: 'Oil' }), ink: await app.make('tag', { name: 'Ink' }) };
    artist = await app.make('artist', { name: 'Hilma' });
    ids = await app.rpc<number[]>('gallery.piece', 'create_many', [
      [{ name: 'Dawn', tag_ids: [['set', [tags.oil]]] }, { name: 'Noon', artist_id: artist }, { name: 'Dusk' }],
    ]);
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    list = await app.open({ path: '/web?action=gallery.pieces&view_type=list' });
    calls = watchChanges(list);
  });
  afterEach(async () => {
    expect(list.problems).toEqual([]);
    await list.close();
  });
  const cell = (name: string, label: string) => ({
    async find() {
      const at = Number(await list.page.locator('th', { hasText: label }).first().getAttribute('aria-colindex')) - 2;
      return list.page.locator('tr[data-row]', { hasText: name }).locator(`[data-col="${at}"]`);
    },
  });

  it('BLK-1, BLK-2 edits tags, boxes and relations of several rows; each row shows its own tags, and all of it is taken back', async () => {
    const [dawn, noon] = ids as [number, number];
    for (const name of ['Dawn', 'Noon']) await list.click(list.find('checkbox', `Select ${name}`));
    const dialog = list.find('dialog', 'Edit 2 records');
    const openField = async (name: string) => {
      await list.click(list.find('button', 'Edit'));
      await dialog.getByLabel('Field').selectOption(name);
    };
    const save = () => list.click(dialog.getByRole('button', { name: 'Save' }));
    const tagsOf = async (name: string) => (await list.text(await cell(name, 'Tags').find())).split('\n').sort();
    await openField('tag_ids');
    await save();
    expect(await list.find('alert').textContent()).toContain('Choose what to add or remove');
    await dialog.getByLabel('Tags').fill('in');
    await list.click(list.find('option', 'Ink'));
    await list.checkAccessible();
    await save();
    expect(calls.at(-1)?.args).toEqual([[dawn, noon], { tag_ids: [['link', tags.ink]] }]);
    expect([await tagsOf('Dawn'), await tagsOf('Noon')]).toEqual([['Ink', 'Oil'], ['Ink']]);
    expect(await list.text('.toast')).toContain('Added Ink to Tags of 2 records');

    await openField('tag_ids');
    await dialog.getByLabel('Change').selectOption('unlink');
    await dialog.getByLabel('Tags').fill('oi');
    await list.click(list.find('option', 'Oil'));
    await save();
    expect([await tagsOf('Dawn'), await tagsOf('Noon')]).toEqual([['Ink'], ['Ink']]);

    await openField('tag_ids');
    await dialog.getByLabel('Change').selectOption('set');
    await save();
    expect((await app.look('piece', dawn, ['tag_ids'])).tag_ids).toEqual([]);

    await openField('is_open');
    await save();
    expect(calls.at(-1)?.args).toEqual([[dawn, noon], { is_open: false }]);
    await openField('artist_id');
    await dialog.getByLabel('Artist').fill('Hil');
    await list.click(list.find('option', 'Hilma'));
    await save();
    expect(calls.at(-1)?.args).toEqual([[dawn, noon], { artist_id: artist }]);
    await list.page.locator('body').click({ position: { x: 2, y: 2 } });
    for (let turn = 0; turn < 4; turn++) await list.press('Control+z');
    expect(
      await app.rpc('gallery.piece', 'read', [
        [dawn, noon],
        ['tag_ids', 'artist_id'],
      ]),
    ).toEqual([
      { id: dawn, tag_ids: [tags.oil], artist_id: null },
      { id: noon, tag_ids: [], artist_id: artist },
    ]);
  });
});
