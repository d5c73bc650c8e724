import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

const list = '/web?action=gallery.pieces&view_type=list';
const form = (id?: number) => `/web?action=gallery.pieces&view_type=form${id ? `&id=${id}` : ''}`;

describe('a form that is worked in', () => {
  let app: Gallery;
  let page: TestPage;
  let artists: { hilma: number; sam: number };
  beforeAll(async () => {
    app = await openGallery({ keepsClient: true });
    artists = {
      hilma: await app.make('artist', { name: 'Hilma', phone: '+46 8 100' }),
      sam: await app.make('artist', { name: 'Silent Sam' }),
    };
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const open = async (id?: number) => {
    page = await app.open({ path: form(id) });
    return watchChanges(page);
  };
  const field = (label: string) => page.page.getByLabel(label, { exact: true });
  const choose = async (label: string, text: string) => {
    await page.page.getByRole('combobox', { name: label, exact: true }).fill(text);
    await page.idle();
    await page.click(page.find('option', text));
  };
  const menu = async (entry: string) => {
    await page.click(page.page.locator('.form-bar').getByRole('button', { name: 'Actions' }));
    await page.click(page.find('menuitem', entry));
  };

  long('shows what follows from a choice, and a warning, before anything is saved', async () => {
    const calls = await open(await app.make('piece', { name: 'Swan' }));
    await choose('Artist', 'Hilma');
    expect(await field('Phone').inputValue()).toBe('+46 8 100');
    await field('Phone').fill('my own');
    await choose('Artist', 'Silent Sam');
    await page.page.getByText('Nobody can call this artist.').waitFor();
    expect(await field('Phone').inputValue()).toBe('my own');
    expect(calls).toEqual([]);
    await page.press('Control+s');
    expect(calls).toMatchObject([
      { method: 'write', args: [[expect.any(Number)], { phone: 'my own', artist_id: artists.sam }] },
    ]);
  });

  long('hides, requires and frees fields while one types', async () => {
    const calls = await open(await app.make('piece', { name: 'Gate' }));
    expect(await field('Place in the cellar').count()).toBe(1);
    await page.click(page.find('switch', 'Open'));
    expect(await field('Place in the cellar').count()).toBe(0);
    await page.press('Control+s');
    expect(await page.text('.form-problem')).toBe('Notes is required.');
    expect(await page.page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    expect(calls).toEqual([]);
    await page.click(page.find('switch', 'Open'));
    await page.press('Control+s');
    expect(await page.page.locator('.form-problem').count()).toBe(0);
  });

  long('keeps everything that was typed when the server refuses it, with the message at the field', async () => {
    await app.make('piece', { name: 'Taken', code: 'A-1' });
    const id = await app.make('piece', { name: 'Free' });
    await open(id);
    await field('Code').fill('A-1');
    await field('Notes').fill('Three words here');
    await page.press('Control+s');
    page.forgive(/422/);
    const problem = page.page.locator('.form-bad', { has: field('Code') }).locator('.form-problem');
    expect(await page.text(problem)).not.toBe('');
    expect(await field('Notes').inputValue()).toBe('Three words here');
    await page.checkAccessible();
    await field('Code').fill('A-2');
    await page.press('Control+s');
    expect(await app.look('piece', id, ['code', 'notes'])).toMatchObject({ code: 'A-2', notes: 'Three words here' });
  });

  long('shows a conflict that is about no field as a message, also for a new record', async () => {
    await open();
    const error = { code: 'CONFLICT', message: 'Someone else is publishing.', details: {} };
    await page.page.route('**/api/rpc', (route) =>
      route.request().postDataJSON().method === 'create'
        ? route.fulfill({ status: 409, json: { ok: false, result: null, error } })
        : route.fallback(),
    );
    await field('Title').fill('Unlucky');
    await page.press('Control+s');
    page.forgive(/409/);
    expect(await page.text(page.page.getByRole('alert'))).toContain('Someone else is publishing.');
    expect(await page.page.getByRole('dialog').count()).toBe(0);
    await page.page.unroute('**/api/rpc');
    await page.press('Control+s');
    expect(page.page.url()).toMatch(/id=\d+/);
  });

  long('sends a new state and the lines that it needs in one write', async () => {
    const id = await app.make('piece', { name: 'Bundle' });
    const calls = await open(id);
    await page.click(page.find('button', 'Sold'));
    page.forgive(/422/);
    expect(await page.text('.form-problem')).toBe('Say what is sold.');
    calls.length = 0;
    await page.click(page.find('button', /Add a line/));
    await page.type('Frame');
    await page.press('Control+s');
    expect(calls).toHaveLength(1);
    expect(calls[0]?.args[1]).toMatchObject({ state: 'sold', part_ids: [['create', { name: 'Frame' }]] });
    expect(calls[0]?.kwargs).toEqual({ base: { state: 'draft', part_ids: [] } });
    expect(await app.look('piece', id, ['state'])).toMatchObject({ state: 'sold' });
  });

  long('duplicates, archives and deletes, each with a way back', async () => {
    const id = await app.make('piece', { name: 'Original', notes: 'n' });
    await open(id);
    await menu('Duplicate');
    const copy = Number(new URL(page.page.url()).searchParams.get('id'));
    expect(copy).not.toBe(id);
    expect(await app.look('piece', copy, ['notes'])).toMatchObject({ notes: 'n' });
    await menu('Archive');
    expect(await app.look('piece', copy, ['active'])).toMatchObject({ active: false });
    await page.click(page.find('button', 'Undo'));
    expect(await app.look('piece', copy, ['active'])).toMatchObject({ active: true });
    await menu('Delete');
    expect(await app.rpc('gallery.piece', 'search_read', [[['id', '=', copy]], ['id']])).toEqual([]);
    expect(new URL(page.page.url()).searchParams.get('id')).not.toBe(String(copy));
    await page.click(page.find('button', 'Undo').last());
    expect(await app.look('piece', copy, ['notes'])).toMatchObject({ notes: 'n' });
  });

  it('AUD-7 opens the history of a record from the audit trail, which is searched by person, model and kind', async () => {
    const id = await app.make('piece', { name: 'Traced' });
    await app.rpc('gallery.piece', 'write', [[id], { notes: 'n' }]);
    await app.rpc('sys.audit.check', 'create', [{}]);
    await open(id);
    await menu('History');
    const rows = page.page.locator('tr[data-row]');
    await rows.first().waitFor();
    const texts = await rows.allInnerTexts();
    expect(texts.map((row) => /Created|Changed/.exec(row)?.[0])).toEqual(['Changed', 'Created']);
    for (const row of texts) expect(row).toMatch(/<.+@.+>[\s\S]*gallery\.piece/);
    const search = new URLSearchParams({ action: 'base.audit', filter: 'deletions', group_by: 'who' });
    await page.close();
    page = await app.open({ path: `/web?${search}` });
    expect(await page.page.getByText('Deletions').count()).toBeGreaterThan(0);
  });

  long('goes to the records before and after in the list it came from', async () => {
    for (const name of ['Row one', 'Row two', 'Row three']) await app.make('piece', { name });
    page = await app.open({ path: `${list}&q=Row&sort=-name` });
    await page.click(page.find('link', 'Row three'));
    expect(await page.text('.form-pager')).toBe('2 / 3');
    await page.click(page.find('button', 'Previous'));
    expect(await field('Title').inputValue()).toBe('Row two');
    expect(await page.find('button', 'Previous').isDisabled()).toBe(true);
    await page.press('Alt+PageDown');
    await page.press('Alt+PageDown');
    expect(await field('Title').inputValue()).toBe('Row one');
    await page.page.goBack();
    await page.idle();
    expect(await page.find('grid').count()).toBe(1);
  });

  long('makes a related record beside the form, and opens one there', async () => {
    const id = await app.make('piece', { name: 'Beside' });
    await open(id);
    await page.page.getByRole('combobox', { name: 'Artist', exact: true }).fill('Ester');
    await page.idle();
    await page.click(page.find('option', /Create “Ester”/));
    const panel = page.find('dialog');
    expect(await panel.getByLabel('Name', { exact: true }).inputValue()).toBe('Ester');
    await panel.getByLabel('Phone').fill('112');
    await page.checkAccessible();
    await page.click(panel.getByRole('button', { name: 'Save' }));
    expect(await page.find('dialog').count()).toBe(0);
    expect(await field('Phone').inputValue()).toBe('112');
    await page.press('Control+s');
    const saved = await app.look<{ artist_id: number }>('piece', id, ['artist_id']);
    await page.click(page.find('button', 'Open Ester'));
    await panel.getByLabel('Name', { exact: true }).fill('Ester A.');
    await page.click(panel.getByRole('button', { name: 'Save' }));
    expect(await page.page.getByRole('combobox', { name: 'Artist', exact: true }).inputValue()).toBe('Ester A.');
    expect(await app.look('artist', saved.artist_id, ['name'])).toMatchObject({ name: 'Ester A.' });
  });

  long('warns before the tab is closed, and has everything there the next time, lines too', async () => {
    const id = await app.make('piece', { name: 'Half' });
    await open(id);
    await field('Notes').fill('not saved');
    await choose('Artist', 'Hilma');
    await page.click(page.find('button', /Add a line/));
    await page.type('Nail');
    const asked = new Promise<string>((resolve) => {
      page.page.once('dialog', (dialog) => {
        resolve(dialog.type());
        void dialog.accept();
      });
    });
    await page.page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    const context = page.page.context();
    const again = await context.newPage();
    await again.goto(form(id));
    await again.waitForFunction(() => window.__KONTOR_IDLE__ === true);
    expect(await again.getByLabel('Notes', { exact: true }).inputValue()).toBe('not saved');
    expect(await again.getByRole('combobox', { name: 'Artist', exact: true }).inputValue()).toBe('Hilma');
    expect(await again.getByRole('gridcell', { name: 'Nail' }).count()).toBe(1);
    await again.keyboard.press('Control+s');
    await again.waitForFunction(() => window.__KONTOR_IDLE__ === true);
    const saved = await app.look<{ part_ids: unknown[]; notes: string }>('piece', id, ['notes', 'part_ids']);
    expect([saved.notes, saved.part_ids.length]).toEqual(['not saved', 1]);
  });

  long('merges what two people change in different fields and lines, without a question', async () => {
    const part = ['create', { name: 'Frame', quantity: 1, price: 10 }];
    const id = await app.make('piece', { name: 'Shared', part_ids: [part] });
    await open(id);
    const other = await app.open({ path: form(id) });
    await other.page.getByLabel('Code', { exact: true }).fill('B-7');
    await other.page.getByRole('gridcell', { name: '10.00' }).first().click();
    await other.page.keyboard.press('Control+a');
    await other.type('12');
    await other.press('Control+s');
    await field('Notes').fill('mine');
    await page.page.getByRole('gridcell', { name: 'Frame' }).click();
    await page.page.keyboard.press('Control+a');
    await page.type('Gold frame');
    await page.press('Control+s');
    expect(await page.find('dialog').count()).toBe(0);
    expect(await app.look('piece', id, ['code', 'notes', { part_ids: ['name', 'price'] }])).toMatchObject({
      code: 'B-7',
      notes: 'mine',
      part_ids: [{ name: 'Gold frame', price: 12 }],
    });
    await other.close();
  });

  long('VIEW-7 offers to make, open and add only what the person may', async () => {
    const group = await app.rpc<number>('core.group', 'create', [{ name: 'Guide', key: 'gallery.guide' }]);
    const open = { perm_read: true, perm_write: true, perm_create: true, perm_unlink: true };
    const seen = { perm_read: true };
    const rights = {
      'gallery.piece': open,
      'gallery.artist': {},
      'gallery.tag': seen,
      'gallery.part': seen,
      'gallery.room': seen,
      'sys.field': seen,
    };
    for (const [model, right] of Object.entries(rights))
      await app.rpc('sys.access', 'create', [{ name: model, model, group_id: group, ...right }]);
    const guide = { login: 'guide@example.com', password: 'a guide knows the way' };
    await app.rpc('core.user', 'create', [{ name: 'Guide', ...guide, group_ids: [['link', group]] }]);
    const room_id = await app.make('room', { name: 'Tower' });
    const part_ids = [['create', { name: 'Frame', quantity: 2 }]];
    const id = await app.make('piece', { name: 'Bell', room_id, artist_id: artists.hilma, part_ids });
    page = await app.open({ as: guide, path: form(id) });
    const combobox = (name: string) => page.page.getByRole('combobox', { name, exact: true });
    const offered = async (name: string, text: string) => {
      await combobox(name).fill(text);
      await page.idle();
      return page.find('option').allInnerTexts();
    };
    expect(await offered('Room', 'Cellar')).toEqual(['Nothing found']);
    await page.press('Escape');
    expect(await offered('Tags', 'Loud')).toEqual(['Nothing found']);
    await page.press('Escape');
    expect(await page.find('button', 'Open Tower').count()).toBe(1);
    expect(await page.find('button', /^Open Hilma|^Open #/).count()).toBe(0);
    expect(await page.text(page.page.locator('.grid-row').last())).toContain('Frame');
    expect(await page.find('button', /Add a line/).count()).toBe(0);
    expect(await page.find('button', 'Delete line 1').count()).toBe(0);
    await page.click(page.page.locator('.grid-row').last().getByText('Frame'));
    expect(await page.page.locator('.grid-row input').count()).toBe(0);
    const admins = await app.open({ path: form(id) });
    await admins.page.getByRole('combobox', { name: 'Room', exact: true }).fill('Cellar');
    await admins.find('option', /Create “Cellar”/).waitFor();
    await admins.close();
    page.forgive(/403/);
  });

  long(
    'keeps what is no JSON, date or number yet over a reload, and says at the field what is wrong before it asks',
    async () => {
      const id = await app.make('sample', { name: 'Rough', extra: { a: 1 } });
      page = await app.open({ path: `/web?model=gallery.sample&view_type=form&id=${id}` });
      const extra = () => page.page.getByLabel('Extra', { exact: true }).first();
      await extra().fill('{"a": 2, ');
      await page.page.getByLabel('Day', { exact: true }).first().fill('31/31/2026');
      await page.page.getByLabel('Count', { exact: true }).first().fill('a dozen');
      page.page.once('dialog', (dialog) => void dialog.accept());
      await page.page.reload();
      await page.idle();
      expect(await extra().inputValue()).toBe('{"a": 2, ');
      expect(await page.page.getByLabel('Day', { exact: true }).first().inputValue()).toBe('31/31/2026');
      const calls = watchChanges(page);
      await page.press('Control+s');
      expect(calls).toEqual([]);
      const problems = [...new Set(await page.page.locator('.form-problem').allInnerTexts())];
      const example = /Enter a date such as \d\d\/\d\d\/\d{4}\./;
      expect(problems).toHaveLength(3);
      expect(problems).toEqual(
        expect.arrayContaining([
          'This is not valid JSON, so it is not applied.',
          'Enter a whole number.',
          expect.stringMatching(example),
        ]),
      );
      await page.checkAccessible();
      await extra().fill('{"a": 2}');
      await page.page.getByLabel('Day', { exact: true }).first().fill('12/31/2026');
      await page.page.getByLabel('Count', { exact: true }).first().fill('12');
      await page.press('Control+s');
      expect(await app.look('sample', id, ['extra', 'day', 'count'])).toMatchObject({
        extra: { a: 2 },
        day: '2026-12-31',
        count: 12,
      });
    },
  );
});
