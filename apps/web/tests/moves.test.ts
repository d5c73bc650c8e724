import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long } from './browser.ts';
import { type Gallery, openGallery } from './gallery.ts';
import { type RpcCall, watchChanges } from './rpc-calls.ts';
import type { TestPage } from './test-page.ts';

interface Loan {
  readonly state: string;
  readonly borrower: string | null;
  readonly due: string | null;
  readonly step_id: number;
  readonly tag_ids: readonly number[];
}

describe('records that move by their states', () => {
  let app: Gallery;
  let page: TestPage;
  let calls: RpcCall[];
  let steps: Readonly<Record<'asked' | 'agreed' | 'out' | 'back', number>>;
  let tag: number;
  let loan: number;
  beforeAll(async () => {
    app = await openGallery({ keepsClient: true });
    steps = {
      asked: await app.make('step', { name: 'Asked', sequence: 1, state: 'asked' }),
      agreed: await app.make('step', { name: 'Agreed', sequence: 2, state: 'asked' }),
      out: await app.make('step', { name: 'On the way', sequence: 3, state: 'out' }),
      back: await app.make('step', { name: 'Home', sequence: 4, state: 'back' }),
    };
    tag = await app.make('tag', { name: 'Fragile' });
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    const old = await app.rpc<{ id: number }[]>('gallery.loan', 'search_read', [[], ['id']]);
    await app.rpc('gallery.loan', 'unlink_many', [old.map(({ id }) => id)]);
    loan = await app.make('loan', { name: 'Dawn' });
  });
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const open = async (view: string, options: { readonly size?: 'phone' } = {}) => {
    page = await app.open({ path: `/web?action=gallery.loans&view_type=${view}`, ...options });
    calls = watchChanges(page);
  };
  const stored = (id = loan) => app.look<Loan>('loan', id, ['state', 'borrower', 'due', 'step_id', 'tag_ids']);
  const dialog = (name: string) => page.find('dialog', name);
  const press = (name: string) => page.click(page.find('button', name));
  const answer = (label: string) => page.page.getByRole('dialog').getByLabel(label, { exact: true });
  const inDialog = (title: string, name: string) =>
    page.click(dialog(title).getByRole('button', { name, exact: true }));

  long(
    'SCN-12 a button that asks opens a dialog with first values, shows what is wrong at its field, and can be undone',
    async () => {
      await open(`form&id=${loan}`);
      await press('Lend');
      expect(await answer('Until').inputValue()).toContain('2026');
      expect(
        await page.page.evaluate(() => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent),
      ).toContain('Borrower');
      await page.checkAccessible();
      await inDialog('Lend', 'Lend');
      expect(await page.text('.form-problem')).toBe('Borrower is required.');
      expect(calls).toEqual([]);
      await answer('Borrower').fill('Nobody');
      await page.press('Enter');
      expect(calls).toHaveLength(1);
      expect(await page.text('.form-problem')).toBe('Say who takes it.');
      page.forgive(/422/);
      await answer('Borrower').fill('Louvre');
      await answer('Tags').fill('Frag');
      await page.idle();
      await page.press('Enter');
      await inDialog('Lend', 'Lend');
      expect(await dialog('Lend').count()).toBe(0);
      const vals = { borrower: 'Louvre', due: '2026-12-24', tag_ids: String(tag), artist_id: '' };
      expect(calls.at(-1)).toMatchObject({ method: 'call', args: [loan, 'action_lend', vals] });
      expect(await stored()).toMatchObject({ state: 'out', borrower: 'Louvre', due: '2026-12-24', step_id: steps.out });
      expect(await page.text('.status [aria-current]')).toBe('On the way');
      await press('Undo');
      expect(await stored()).toMatchObject({ state: 'asked', borrower: null, step_id: steps.asked });
      expect(await page.text('.status [aria-current]')).toBe('Asked');
    },
  );

  it('SCN-12 a move that only warns says so first, and does nothing when it is left', async () => {
    await app.rpc('gallery.loan', 'call', [loan, 'action_lend', { borrower: 'Louvre' }]);
    await open(`form&id=${loan}`);
    expect(await page.find('button', 'Lend').count()).toBe(0);
    const inputs = (label: string) => page.page.locator('.form-line', { hasText: label }).locator('input').count();
    expect([await inputs('Borrower'), await inputs('Due')]).toEqual([0, 1]);
    await press('Write off');
    expect(await page.text(dialog('Write off'))).toContain('Nobody will look for it any more.');
    await page.press('Escape');
    expect(await dialog('Write off').count()).toBe(0);
    expect(calls).toEqual([]);
    await press('Write off');
    await inDialog('Write off', 'Write off');
    expect(await stored()).toMatchObject({ state: 'back', step_id: steps.back });
    expect(await page.text('.toast-success')).toContain('Write off: Dawn');
    expect(await page.find('button', 'Undo').count()).toBe(0);
  });

  long('SCN-13 the status bar tells where a record is: stages of its state are clicked, with Undo', async () => {
    await open(`form&id=${loan}`);
    const bar = page.page.locator('.status');
    expect(await bar.locator('li').allInnerTexts()).toEqual(['Asked', 'Agreed', 'On the way', 'Home']);
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Agreed']);
    await page.click(bar.getByRole('button', { name: 'Agreed' }));
    expect(calls).toMatchObject([{ method: 'write', args: [[loan], { step_id: steps.agreed }] }]);
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Asked']);
    await press('Undo');
    expect(await stored()).toMatchObject({ step_id: steps.asked });
    expect(await page.text('.status [aria-current]')).toBe('Asked');
    await page.checkAccessible();
  });

  it('SCN-13 a new record shows where it begins, and can begin in any stage of that state', async () => {
    await open('form');
    const bar = page.page.locator('.status');
    expect(await page.text('.status [aria-current]')).toBe('Asked');
    expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Agreed']);
    await page.click(bar.getByRole('button', { name: 'Agreed' }));
    await page.page.getByLabel('Piece', { exact: true }).fill('Noon');
    await page.press('Control+s');
    const [made] = await app.rpc<Loan[]>('gallery.loan', 'search_read', [
      [['name', '=', 'Noon']],
      ['state', 'step_id'],
    ]);
    expect(made).toMatchObject({ state: 'asked', step_id: steps.agreed });
  });

  it('SCN-14 a card that is dragged into another state makes the move: its dialog first, back on cancel, one Undo', async () => {
    await open('kanban');
    const column = (name: string) => page.page.locator(`section[aria-label="${name}"]`);
    const cards = (name: string) => column(name).locator('.kanban-title').allTextContents();
    const carry = async (name: string, ...keys: readonly string[]) => {
      await page.page.locator('.kanban-title', { hasText: name }).focus();
      for (const key of ['Space', ...keys, 'Space']) await page.press(key);
    };
    await carry('Dawn', 'ArrowRight');
    expect(calls).toMatchObject([{ method: 'write', args: [[loan], { step_id: steps.agreed }] }]);
    calls.length = 0;
    await carry('Dawn', 'ArrowRight');
    expect(await cards('On the way')).toEqual(['Dawn']);
    await page.press('Escape');
    expect(await dialog('Lend').count()).toBe(0);
    expect(await cards('Agreed')).toEqual(['Dawn']);
    expect(calls).toEqual([]);
    expect(await page.page.evaluate(() => document.activeElement?.textContent)).toBe('Dawn');
    await carry('Dawn', 'ArrowRight');
    await answer('Borrower').fill('Louvre');
    await page.press('Enter');
    expect(await cards('On the way')).toEqual(['Dawn']);
    expect(await stored()).toMatchObject({ state: 'out', borrower: 'Louvre', step_id: steps.out });
    await page.click(page.find('button', 'Undo').last());
    expect(await stored()).toMatchObject({ state: 'asked', borrower: null, step_id: steps.agreed });
    expect(await cards('Agreed')).toEqual(['Dawn']);
  });

  long(
    'SCN-14 several moves lead to the same state: the user chooses, and a column without a move refuses',
    async () => {
      await app.rpc('gallery.loan', 'call', [loan, 'action_lend', { borrower: 'Louvre' }]);
      await open('kanban');
      const title = page.page.locator('.kanban-title', { hasText: 'Dawn' });
      const carry = async (...keys: readonly string[]) => {
        await title.focus();
        for (const key of ['Space', ...keys, 'Space']) await page.press(key);
      };
      await carry('ArrowRight');
      const choice = dialog('Move to Home');
      expect(await choice.locator('.ask-choices button').allInnerTexts()).toEqual(['Take back', 'Write off']);
      await page.checkAccessible();
      await inDialog('Move to Home', 'Cancel');
      expect(await stored()).toMatchObject({ state: 'out' });
      await carry('ArrowRight');
      await inDialog('Move to Home', 'Write off');
      await inDialog('Write off', 'Write off');
      expect(await stored()).toMatchObject({ state: 'back', step_id: steps.back });
      await carry('ArrowLeft');
      expect(await stored()).toMatchObject({ state: 'back', step_id: steps.back });
      expect(await page.page.locator('.toast-error').count()).toBe(1);
      expect(await page.page.locator('section[aria-label="Home"] .kanban-title').allTextContents()).toEqual(['Dawn']);
      page.forgive(/422/);
    },
  );

  it('SCN-15 moves of a list act on the selection, all in one call', async () => {
    const other = await app.make('loan', { name: 'Noon' });
    await open('list');
    await page.page.getByLabel('Select all').check();
    await page.idle();
    const bar = page.find('toolbar', 'Selection');
    expect(await bar.getByRole('button', { name: 'Take back' }).count()).toBe(0);
    await page.click(bar.getByRole('button', { name: 'Lend' }));
    await answer('Borrower').fill('Louvre');
    await page.press('Enter');
    const vals = { borrower: 'Louvre', active_ids: `${loan},${other}` };
    expect(calls).toMatchObject([{ method: 'call', args: [0, 'action_lend', vals] }]);
    expect(await stored(other)).toMatchObject({ state: 'out', borrower: 'Louvre' });
    expect(await bar.getByRole('button', { name: 'Lend' }).count()).toBe(0);
    await page.click(bar.getByRole('button', { name: 'Take back' }));
    expect(await stored()).toMatchObject({ state: 'back' });
    await page.click(page.find('button', 'Undo').last());
    expect(await stored()).toMatchObject({ state: 'out' });
  });

  long(
    'WSP-26 a window action in a dialog opens over the screen with the records that it is about, and is answered there',
    async () => {
      await open(`form&id=${loan}`);
      await press('Another piece');
      expect(await answer('Borrower').inputValue()).toBe('Louvre');
      expect(page.page.url()).toContain(`id=${loan}`);
      await page.press('Escape');
      expect(await dialog('One more loan').count()).toBe(0);
      expect(calls).toEqual([]);

      const other = await app.make('loan', { name: 'Noon' });
      await open('list');
      await page.page.getByLabel('Select all').check();
      await page.click(page.find('toolbar', 'Selection').getByRole('button', { name: 'Another piece' }));
      await answer('Piece').fill('Night');
      await inDialog('One more loan', 'Lend');
      await dialog('Lend').getByLabel('Borrower', { exact: true }).fill('Prado');
      await inDialog('Lend', 'Lend');
      await dialog('One more loan').waitFor({ state: 'detached' });
      expect(calls.map(({ method }) => method)).toEqual(['create', 'call']);
      expect(calls[0]?.args).toMatchObject([{ name: 'Night', borrower: 'Louvre', sequence: loan }]);
      await expect.poll(() => page.find('grid').getByText('Night').count()).toBe(1);
      expect(await stored(other)).toMatchObject({ state: 'asked' });
    },
  );

  long('SCN-13 on a phone the bar is a choice among the stages of the state', async () => {
    await open(`form&id=${loan}`, { size: 'phone' });
    const bar = page.page.locator('.status-select');
    expect(await bar.locator('option:not(:disabled)').allTextContents()).toEqual(['Asked', 'Agreed']);
    await bar.selectOption('Agreed');
    await page.idle();
    expect(await stored()).toMatchObject({ step_id: steps.agreed });
    await page.checkAccessible();
  });
});
