import { isLong } from '@kontor/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { rendersOf, watchRenders } from './renders.ts';
import { holdAnswers, type RpcCall, watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

const pieces = '/web?action=gallery.pieces&view_type=list';

describe('a list that is worked in', () => {
  let app: Gallery;
  let list: TestPage;
  let calls: RpcCall[];
  let tags: { oil: number; ink: number };
  let artist: number;
  let ids: number[];
  beforeAll(async () => {
    app = await openGallery();
    tags = {
      oil: await app.make('tag', { name: 'Oil', color: 2 }),
      ink: await app.make('tag', { name: 'Ink', color: 4 }),
    };
    artist = await app.make('artist', { name: 'Hilma', phone: '+46 8 100' });
    await app.make('artist', { name: 'Silent Sam' });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<{ id: number }[]>('gallery.piece', 'search_read', [[], ['id']]);
    await app.rpc('gallery.piece', 'unlink_many', [old.map(({ id }) => id)]);
    const [euro, dollar] = [await app.currency('EUR'), await app.currency('USD')];
    ids = await app.rpc<number[]>('gallery.piece', 'create_many', [
      [
        { name: 'Dawn', sequence: 1, price: 100, currency_id: euro, tag_ids: [['set', [tags.oil]]], state: 'shown' },
        { name: 'Noon', sequence: 2, price: 250, currency_id: euro, artist_id: artist },
        { name: 'Dusk', sequence: 3, price: 40, currency_id: dollar, artist_id: artist },
        { name: 'Night', sequence: 3, price: 5, currency_id: euro },
      ],
    ]);
    list = await app.open({ path: pieces });
    calls = watchChanges(list);
  });
  afterEach(async () => {
    expect(list.problems).toEqual([]);
    await list.close();
  });

  const names = () => list.page.locator('tr[data-row] [data-col="0"]').allInnerTexts();
  const cell = (name: string, label: string) => {
    const column = list.page.locator('th', { hasText: label });
    return {
      async find() {
        const at = Number(await column.first().getAttribute('aria-colindex')) - 2;
        return list.page.locator('tr[data-row]', { hasText: name }).locator(`[data-col="${at}"]`);
      },
    };
  };
  const edit = async (name: string, label: string) => list.click(await cell(name, label).find());
  const settings = async (key: string) => {
    const [found] = await app.rpc<{ id: number; value: unknown }[]>('sys.user.setting', 'search_read', [
      [['key', '=', key]],
      ['value'],
    ]);
    return found;
  };
  const forgetSetting = async (key: string) => {
    const found = await settings(key);
    if (found) await app.rpc('sys.user.setting', 'unlink', [[found.id]]);
  };

  long('changes the tags of a row in place, with the tags that were seen', async () => {
    await edit('Dawn', 'Tags');
    await list.type('in');
    await list.click(list.find('option', 'Ink'));
    await list.press('Enter');
    expect(calls).toEqual([
      {
        model: 'gallery.piece',
        method: 'write',
        args: [[ids[0]], { tag_ids: [['set', [tags.oil, tags.ink]]] }],
        kwargs: { base: { tag_ids: [tags.oil] } },
      },
    ]);
    expect((await list.text(await cell('Dawn', 'Tags').find())).split('\n').sort()).toEqual(['Ink', 'Oil']);
    expect((await app.look('piece', ids[0] as number, ['tag_ids'])).tag_ids).toEqual(
      expect.arrayContaining([tags.oil, tags.ink]),
    );
  });

  long('takes along what follows from a change, and nothing that only the server sets', async () => {
    await edit('Dawn', 'Artist');
    await list.type('Hil');
    await list.click(list.find('option', 'Hilma'));
    await list.press('Enter');
    expect(calls[0]?.args).toEqual([[ids[0]], { phone: '+46 8 100', artist_id: artist }]);
    expect(await list.text(await cell('Dawn', 'Phone').find())).toBe('+46 8 100');
  });

  long('makes a record in a row of its own, at the top, one after the other', async () => {
    await list.press('n');
    expect(await list.page.locator('tbody').first().locator('.list-draft').count()).toBe(1);
    await list.press('Enter');
    expect(await list.find('alert').textContent()).toContain('Title is required');
    expect(calls).toEqual([]);
    await list.type('Storm');
    await list.press('Enter');
    await list.type('Hail');
    await list.press('Enter');
    await list.press('Escape');
    expect(calls.map(({ method, args }) => [method, (args[0] as { name: string }).name])).toEqual([
      ['create', 'Storm'],
      ['create', 'Hail'],
    ]);
    expect(await names()).toEqual(expect.arrayContaining(['Storm', 'Hail']));
    await list.checkAccessible();
  });

  long('drags a row elsewhere with one call, and takes it back', async () => {
    const handle = list.find('button', 'Move Night');
    await list.page.locator('tr[data-row]', { hasText: 'Night' }).hover();
    const box = await handle.boundingBox();
    if (!box) throw new Error('The row has no handle.');
    await list.page.mouse.move(box.x + 4, box.y + 8);
    await list.page.mouse.down();
    await list.page.mouse.move(box.x + 4, box.y + 8 - 36 * 3, { steps: 4 });
    await list.page.mouse.up();
    await expect.poll(names).toEqual(['Night', 'Dawn', 'Noon', 'Dusk']);
    await list.idle();
    expect(await names()).toEqual(['Night', 'Dawn', 'Noon', 'Dusk']);
    expect(calls.map(({ method, args }) => [method, args[1]])).toEqual([['call', 'action_reorder']]);
    await list.go(pieces);
    expect(await names()).toEqual(['Night', 'Dawn', 'Noon', 'Dusk']);
    await list.page.locator('[data-row="0"] [data-col="0"]').focus();
    await list.press('ArrowDown');
    await list.press('Alt+ArrowUp');
    expect((await names())[0]).toBe('Dawn');
    await list.click(list.find('button', 'Undo'));
    expect(await names()).toEqual(['Night', 'Dawn', 'Noon', 'Dusk']);
    await list.visit(`${pieces}&sort=name`);
    expect(await list.find('button', /^Move /).count()).toBe(0);
  });

  long('SCN-95 sets one field of all that match, which is not their name at first, and takes it back', async () => {
    await list.click(list.find('checkbox', 'Select all'));
    await list.click(list.find('button', 'Edit'));
    const dialog = list.find('dialog', 'Edit 4 records');
    expect(await dialog.getByLabel('Field').inputValue()).not.toBe('name');
    await dialog.getByLabel('Field').selectOption('phone');
    await dialog.getByLabel('Phone').fill('112');
    await list.checkAccessible();
    await list.click(dialog.getByRole('button', { name: 'Save' }));
    expect(calls).toMatchObject([{ method: 'write', args: [ids, { phone: '112' }] }]);
    await list.click(list.find('button', 'Undo'));
    expect((await app.look('piece', ids[0] as number, ['phone'])).phone).toBeNull();
  });

  long('archives and deletes what is selected, each with a way back', async () => {
    const pick = (name: string) => list.click(list.find('checkbox', `Select ${name}`));
    await pick('Noon');
    await pick('Dusk');
    await list.click(list.find('button', 'Archive'));
    expect(await names()).toEqual(['Dawn', 'Night']);
    await list.click(list.find('button', 'Undo'));
    expect(await names()).toEqual(['Dawn', 'Noon', 'Dusk', 'Night']);
    await list.click(list.find('button', 'Close').first());
    await pick('Dawn');
    await list.click(list.find('button', 'Delete'));
    expect(await names()).not.toContain('Dawn');
    await list.click(list.find('button', 'Undo').last());
    expect(await names()).toContain('Dawn');
    expect((await app.look('piece', ids[0] as number, ['tag_ids'])).tag_ids).toEqual([tags.oil]);
  });

  long('WSP-23 keeps which columns are shown, and their order, on the server', async () => {
    const heads = async () => (await list.page.locator('th .list-sort').allInnerTexts()).filter((text) => text !== '');
    expect(await heads()).not.toContain('Due');
    await list.click(list.find('button', 'Columns'));
    await list.click(list.find('menuitemcheckbox', 'Due'));
    await list.click(list.find('menuitemcheckbox', 'Open'));
    await list.press('Escape');
    await list.page.locator('th .list-sort', { hasText: 'Phone' }).focus();
    await list.press('Alt+Shift+ArrowLeft');
    await list.idle();
    const elsewhere = await app.open({ path: pieces });
    const shown = (await elsewhere.page.locator('th .list-sort').allInnerTexts()).filter((text) => text !== '');
    expect(shown).toEqual(await heads());
    expect(shown).toContain('Due');
    expect(shown).not.toContain('Open');
    expect(shown.indexOf('Phone')).toBeLessThan(shown.indexOf('Priority'));
    await elsewhere.close();
    await forgetSetting('columns:gallery.pieces');
  });

  it('WSP-27 WSP-9 groups on two levels, with subtotals for each currency, loaded as they are opened', async () => {
    const group = (name: string) => list.page.locator('.list-group', { hasText: name });
    expect(await list.text('tfoot')).toContain('€355.00 + $40.00');
    await list.visit(`${pieces}&group_by=artist_id,state`);
    expect(await list.text(group('Hilma'))).toContain('€250.00 + $40.00');
    expect(await list.text(group('None').or(group('Nothing')).first())).toContain('€105.00');
    expect(await list.page.locator('tr.list-row').count()).toBe(0);
    await list.click(group('Hilma'));
    expect(await list.text(group('Draft'))).toContain('€250.00 + $40.00');
    expect(await list.page.locator('tr.list-row').count()).toBe(0);
    await list.click(group('Draft'));
    expect(await names()).toEqual(expect.arrayContaining(['Noon', 'Dusk']));
    await list.checkAccessible();
    const euro = encodeURIComponent(JSON.stringify([['currency_id.name', '=', 'EUR']]));
    await list.visit(`${pieces}&group_by=state&domain=${euro}`);
    expect(await list.text(group('On show'))).toContain('€100.00');
    expect(await list.text('tfoot')).toContain('€355.00');
  });

  long('FIG-25 converts totals and subtotals by choice', async () => {
    await app.setRates();
    await list.visit(`${pieces}&group_by=artist_id,state`);
    const group = (name: string) => list.page.locator('.list-group', { hasText: name });
    await list.click(list.find('button', 'More'));
    await list.click(list.find('menuitemcheckbox', 'Totals in company currency'));
    await list.page.locator('tfoot', { hasText: 'Converted to USD at stored rates' }).waitFor();
    expect(await list.text('tfoot')).toContain('$483.75');
    await list.click(group('Hilma'));
    for (const name of ['Hilma', 'Draft']) expect(await list.text(group(name))).toContain('$352.50');
  });

  long('SCN-32 unfolds and folds all groups, counts tags without room, and gives columns what they hold', async () => {
    const more = [
      await app.make('tag', { name: 'Paper size', color: 5 }),
      await app.make('tag', { name: 'Chalk', color: 6 }),
    ];
    await app.rpc('gallery.piece', 'write', [[ids[0]], { tag_ids: [['set', [tags.oil, tags.ink, ...more]]] }]);
    await list.visit(pieces);
    const shown = await cell('Dawn', 'Tags').find();
    expect(await list.text(shown.locator('.tags-more'))).toBe('+2');
    expect((await shown.locator('.tags').getAttribute('title'))?.split(', ')).toHaveLength(4);
    await list.visit(`${pieces}&group_by=artist_id,state`);
    await list.click(list.find('button', 'More').last());
    await list.click(list.find('menuitem', 'Expand all groups'));
    await expect.poll(() => list.page.locator('tr.list-row').count()).toBe(4);
    expect(await list.page.locator('.list-group[aria-expanded="false"]').count()).toBe(0);
    await list.click(list.find('button', 'More').last());
    await list.click(list.find('menuitem', /^Collapse all groups/));
    await expect.poll(() => list.page.locator('tr.list-row').count()).toBe(0);
    expect(await list.page.locator('.list-group').count()).toBe(2);
    await app.rpc('gallery.piece', 'write', [
      [ids[1]],
      { name: 'A very long name of a piece that nobody would ever cut' },
    ]);
    await list.visit(pieces);
    const long = list.page.locator('tr[data-row]', { hasText: 'A very long name' }).locator('[data-col="0"]');
    expect(await long.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });

  long('asks before a button of a row does what it warns of', async () => {
    await app.rpc('gallery.piece', 'write', [[ids[0]], { is_open: true }]);
    const takeDown = async () => {
      await list.click(list.find('button', 'Actions for Dawn'));
      await list.click(list.find('menuitem', 'Take down'));
      expect(await list.text(list.find('dialog', 'Take down'))).toContain('Nobody will see it.');
    };
    await takeDown();
    await list.click(list.find('dialog', 'Take down').getByRole('button', { name: 'Back' }));
    expect(calls).toEqual([]);
    await takeDown();
    await list.click(list.find('dialog', 'Take down').getByRole('button', { name: 'Take down' }));
    expect(calls).toHaveLength(1);
    expect(await app.look('piece', ids[0] as number, ['is_open'])).toMatchObject({ is_open: false });
  });

  long('searches by any field of the model, also by those that no view shows', async () => {
    await app.rpc('gallery.piece', 'write', [[ids[2]], { cellar: 'Shelf 9' }]);
    await list.click(list.page.getByRole('button', { name: 'Filter', exact: true }));
    await list.click(list.find('button', /Custom conditions/));
    const dialog = list.find('dialog', 'Conditions');
    await dialog.getByLabel('Field').selectOption({ label: 'Place in the cellar' });
    await dialog.getByLabel('Value of Place in the cellar').fill('shelf');
    await dialog.getByLabel('Field').first().waitFor();
    await list.checkAccessible();
    await list.click(dialog.getByRole('button', { name: 'Search' }));
    expect(await names()).toEqual(['Dusk']);
    await list.page.reload();
    await list.idle();
    await list.find('button', 'Place in the cellar contains shelf').first().waitFor();
    await list.page.goBack();
    await list.idle();
    expect(await names()).toHaveLength(4);
  });

  long('SCN-66 draws no cell and no card but those that change', async () => {
    await watchRenders(list);
    await list.go(pieces);
    const price = await cell('Noon', 'Price').find();
    const drawn = await rendersOf(list, '.list-cell', async () => {
      await list.click(price);
      await list.page.keyboard.press('Control+a');
      await list.type('99');
      await list.press('Enter');
    });
    // The cell itself, and where Tab would have led before and leads now.
    expect(drawn).toEqual(['0 Dawn', '1 €99.00', '2 $40.00']);
    await list.go(pieces.replace('list', 'kanban'));
    const card = list.page.locator('article[data-card]', { hasText: 'Noon' });
    await card.locator('a').focus();
    const cards = await rendersOf(list, '.kanban-card', async () => {
      for (const key of ['Space', 'ArrowDown', 'Space']) await list.press(key);
    });
    expect(cards).toHaveLength(1);
    expect(cards[0]).toContain('Noon');
  });

  it('SCN-68 shows an edit before the answer comes, and takes a refused one back with what was typed', async () => {
    let answer = await holdAnswers(list);
    await edit('Noon', 'Price');
    await list.page.keyboard.press('Control+a');
    await list.page.keyboard.type('77');
    await list.page.keyboard.press('Enter');
    await list.page.locator('tr[data-row]', { hasText: 'Noon' }).getByText('€77.00').waitFor();
    expect(await list.page.locator('.list-edit').count()).toBe(0);
    await answer();
    await list.page.unrouteAll();
    answer = await holdAnswers(list);
    // Enter went on to the row below.
    await list.press('Home');
    await list.press('e');
    await list.page.keyboard.press('Control+a');
    await list.page.keyboard.type('Untitled');
    await list.page.keyboard.press('Enter');
    await expect.poll(names).toContain('Untitled');
    await answer();
    expect(await list.text(list.find('alert').last())).toContain('Give it a title of its own.');
    expect(await list.page.locator('.list-edit input').inputValue()).toBe('Untitled');
    await list.press('Escape');
    expect(await names()).toContain('Dusk');
    list.forgive(/422/);
  });

  long('SCN-68 shows new rows before the answer comes, and gives a refused one back with what was typed', async () => {
    const answer = await holdAnswers(list);
    const sent = list.page.locator('.list-sent');
    const input = list.page.locator('.list-draft input:not([type=checkbox])').first();
    await list.page.keyboard.press('n');
    await input.waitFor();
    for (const name of ['Frost', 'Untitled']) {
      await list.page.keyboard.type(name);
      await list.page.keyboard.press('Enter');
    }
    await sent.nth(1).waitFor();
    expect((await sent.allInnerTexts()).map((text) => text.trim().split(/\s/)[0])).toEqual(['Untitled', 'Frost']);
    await answer();
    expect([await sent.count(), await names()]).toEqual([0, expect.arrayContaining(['Frost'])]);
    expect(await list.text(list.find('alert').last())).toContain('Give it a title of its own.');
    expect(await input.inputValue()).toBe('Untitled');
    await list.press('Escape');
    expect(await list.page.locator('.list-draft').count()).toBe(0);
    expect(await names()).not.toContain('Untitled');
    await list.page.unrouteAll();
    list.forgive(/422/);
  });

  long('SCN-68 saves a form behind the person, who finds the new values in the list at once', async () => {
    const answer = await holdAnswers(list);
    await list.page.locator('.list-link', { hasText: 'Noon' }).click();
    await list.page.getByLabel('Phone', { exact: true }).fill('+47 1');
    await list.page.keyboard.press('Control+s');
    await list.page.getByText('Saving …').waitFor();
    await list.page.goBack();
    await list.page.locator('tr[data-row]', { hasText: '+47 1' }).waitFor();
    await answer();
    expect((await app.look<{ phone: string }>('piece', ids[1] ?? 0, ['phone'])).phone).toBe('+47 1');
  });

  it('SCN-69 leaves nothing behind when one goes through screens again and again', async () => {
    const devtools = await list.page.context().newCDPSession(list.page);
    const held = async () => {
      for (let turn = 0; turn < 3; turn++) await devtools.send('HeapProfiler.collectGarbage');
      return devtools.send('Memory.getDOMCounters');
    };
    const goThrough = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) {
        await list.click(list.page.locator('.list-link').first());
        await list.page.goBack();
        await list.idle();
        await list.click(list.page.locator('.seg a[aria-label="Kanban"]'));
        await list.click(list.page.locator('.seg a[aria-label="List"]'));
      }
    };
    await goThrough(isLong ? 3 : 2);
    const before = await held();
    // The browser keeps what it read of every query that it is asked for, even of the same one.
    await list.page.evaluate(() => {
      window.matchMedia = (query) => {
        throw new Error(`Asked for again: ${query}`);
      };
    });
    await goThrough(isLong ? 50 : 3);
    const after = await held();
    expect(after.nodes - before.nodes).toBeLessThan(100);
    expect(after.jsEventListeners - before.jsEventListeners).toBeLessThan(10);
  });
});
