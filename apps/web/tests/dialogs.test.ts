import { long } from '@kontor/testing/long';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gallery, openGallery } from './gallery.ts';
import type { TestPage } from './test-page.ts';

const pieces = '/web?action=gallery.pieces&view_type=list';
const keys = '/web?action=base.apikeys&view_type=list';
const person = '/web?action=base.users&view_type=form&id=1';

describe('a dialog', () => {
  let app: Gallery;
  let page: TestPage;
  let piece: number;
  let loan: number;
  beforeAll(async () => {
    app = await openGallery();
    piece = await app.make('piece', { name: 'Noon', is_open: true });
    const step_id = await app.make('step', { name: 'Asked' });
    loan = await app.make('loan', { name: 'Noon', step_id });
    page = await app.open();
  });
  afterAll(() => app.close());

  const dialog = () => page.page.locator('dialog[open]');
  const form = () => `/web?action=gallery.pieces&view_type=form&id=${piece}`;
  const press = (name: string | RegExp) => page.click(page.find('button', name).first());
  const fromMenu = async (entry: string) => {
    await page.click(page.page.locator('main .bar').getByRole('button', { name: 'More', exact: true }));
    await page.click(page.find('menuitem', entry));
  };
  const select = () => page.click(page.find('checkbox', 'Select all'));
  const takeDown = () => press('Take down');

  const dialogs: readonly (readonly [string, () => string, () => Promise<void>])[] = [
    ['an edit of many', () => pieces, async () => select().then(() => press('Edit'))],
    ['an export', () => pieces, async () => fromMenu('Export …')],
    ['a filter', () => pieces, async () => press('Filter').then(() => press(/Custom conditions/))],
    ['a tile', () => pieces, async () => fromMenu('Add to a board …')],
    ['a move that asks', () => `/web?action=gallery.loans&view_type=form&id=${loan}`, async () => press('Lend')],
    ['a warning', form, takeDown],
    ['a new key', () => keys, async () => press('New API key')],
    ['a new password', () => person, async () => press('Reset password')],
  ];

  it.each(dialogs)('SCN-98 %s has Cancel first and its answer last', async (_, path, open) => {
    await page.go(path());
    await open();
    await dialog().waitFor();
    const looks = await dialog()
      .locator('.dialog-foot .btn')
      .evaluateAll((all) => all.map((one) => [...one.classList].find((name) => name.startsWith('btn-'))));
    expect(looks.at(-1)).toMatch(/^btn-(primary|danger)$/);
    expect(looks.slice(0, -1)).toEqual(looks.slice(0, -1).map(() => 'btn-default'));
    expect(looks.length).toBeGreaterThan(1);
    await page.press('Escape');
  });

  long('SCN-98 Enter in a line answers it, Ctrl+Enter answers anywhere', async () => {
    const editPhone = async (phone: string) => {
      await page.go(pieces);
      await select();
      await press('Edit');
      await dialog().getByLabel('Field').selectOption('phone');
      await dialog().getByLabel('Phone').fill(phone);
    };
    await editPhone('112');
    await page.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await app.look('piece', piece, ['phone'])).toEqual(expect.objectContaining({ phone: '112' }));
    await editPhone('113');
    await dialog().getByLabel('Field').focus();
    await page.press('Control+Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await app.look('piece', piece, ['phone'])).toEqual(expect.objectContaining({ phone: '113' }));
  });

  long('SCN-98 one without a field starts at its answer, unless that destroys something', async () => {
    await page.go(person);
    await press('Reset password');
    await dialog().waitFor();
    expect(await page.text(':focus')).toMatch(/link/);
    await page.press('Escape');
    await page.go(form());
    await takeDown();
    await dialog().waitFor();
    expect(await page.text(':focus')).toBe('Back');
    await page.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    expect(await app.look('piece', piece, ['is_open'])).toEqual(expect.objectContaining({ is_open: true }));
    expect(page.problems).toEqual([]);
  });
});
