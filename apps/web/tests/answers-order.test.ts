import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import { type HeldReads, holdReads } from './held-reads.ts';
import type { TestPage } from './test-page.ts';

const pipeline = '/web?action=crm.pipeline&view_type=kanban';

describe('answers that come in another order', () => {
  let app: TestApp;
  let page: TestPage;
  let stage: number;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], hasBus: true, keepsClient: true });
    const [found] = await app.rpc<{ id: number }[]>('crm.stage', 'search_read', [[['name', '=', 'Negotiation']], []]);
    stage = found?.id as number;
    const rows = Array.from({ length: 95 }, (_, at) => ({ name: `Lot ${at}`, type: 'opportunity', stage_id: stage }));
    await app.rpc('crm.lead', 'create_many', [rows]);
  });
  afterAll(() => app.close());
  afterEach(async () => {
    expect(page.problems).toEqual([]);
    await page.close();
  });

  const column = () => page.page.locator('section[aria-label="Negotiation"]');
  /** As a wheel does it: a little up, and down to the end. */
  const toEnd = () =>
    column()
      .locator('.kanban-cards')
      .evaluate(async (one) => {
        one.scrollTo(0, one.scrollHeight - one.clientHeight - 60);
        await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        one.scrollTo(0, one.scrollHeight);
      });
  const lastPlace = () => column().locator('li').last().getAttribute('aria-posinset');
  const scrollUntil = (place: string) =>
    expect
      .poll(async () => {
        await toEnd();
        return lastPlace();
      })
      .toBe(place);
  /** Another person changes a card; the board asks for itself again, and gets its answer. */
  const changeByAnother = async (held: HeldReads) => {
    const [one] = await app.rpc<{ id: number }[]>('crm.lead', 'search_read', [[['name', '=', 'Lot 0']], []]);
    await app.rpc('crm.lead', 'write', [[one?.id], { description: 'Changed' }]);
    await held.wait(2);
    await held.answer(1);
  };

  long('SCN-96 leave no column short: a refresh that comes after the next cards does not take them away', async () => {
    page = await app.open({ path: pipeline });
    const held = await holdReads(page);
    await toEnd();
    await held.wait(1);
    await held.answer(0);
    await scrollUntil('80');
    await held.wait(1);
    await changeByAnother(held);
    await held.wait(2);
    await held.answer(0, 1);
    await held.stop();
    await scrollUntil('95');
    expect(await column().locator('.kanban-more').count()).toBe(0);
  });

  long('SCN-96 leave no column short: cards that did not come are asked for with the next scroll', async () => {
    page = await app.open({ path: pipeline });
    const held = await holdReads(page);
    await toEnd();
    await held.wait(1);
    await held.fail(0);
    await page.page.locator('.toast').waitFor();
    await held.stop();
    await scrollUntil('95');
  });

  long.each([
    ['a list', ''],
    ['a group', '&group_by=create_date:year'],
  ])(
    'SCN-96 leave no row of %s waiting: the last rows in sight are asked for, whatever came before',
    async (_name, by) => {
      page = await app.open({ path: `/web?model=core.country&view_type=list${by}` });
      if (by) await page.click(page.page.locator('.list-group'));
      const box = page.page.locator('.list-scroll');
      const scrollTo = (row: number) => box.evaluate((one, top) => one.scrollTo(0, top), row * 36);
      const held = await holdReads(page);
      await scrollTo(120);
      await held.wait(1);
      await scrollTo(220);
      await held.answer(0);
      await held.wait(1);
      await held.fail(0);
      await scrollTo(219);
      await held.wait(1);
      await held.stop();
      await expect.poll(() => box.locator('.list-waits').count()).toBe(0);
      expect(await box.locator('[data-row="225"]').count()).toBe(1);
    },
  );

  long('SCN-96 show the period of a calendar that was asked for last', async () => {
    page = await app.open({ path: '/web?action=crm.pipeline&view_type=calendar&scale=month&date=2026-03-10' });
    const held = await holdReads(page);
    await page.page.getByRole('button', { name: 'Next period' }).click();
    await held.wait(1);
    await page.page.getByRole('button', { name: 'Next period' }).click();
    await held.wait(2);
    await held.answer(1, 0);
    await held.stop();
    expect(await page.text('.bar')).toContain('May 2026');
    expect(await page.page.locator('.calendar-body.is-stale').count()).toBe(0);
  });

  long('SCN-96 offer what was typed last', async () => {
    await app.rpc('core.partner', 'create_many', [[{ name: 'Quince' }, { name: 'Quill' }]]);
    page = await app.open({ path: '/web?action=crm.pipeline&view_type=form&id=0' });
    const customer = page.page.getByRole('combobox', { name: 'Customer', exact: true });
    // What is asked once, such as which models can be archived, is there before answers are held.
    await customer.fill('Qu');
    await page.find('option', 'Quill').waitFor();
    const held = await holdReads(page);
    await customer.fill('Qui');
    await held.wait(1);
    await customer.fill('Quin');
    await held.wait(2);
    await held.answer(1, 0);
    await held.stop();
    const names = await page.page.getByRole('option').allTextContents();
    expect(names[0]).toBe('Quince');
    expect(names).not.toContain('Quill');
  });
});
