import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import { makePerson, retype, showsUp } from './life-world.ts';
import type { TestPage } from './test-page.ts';

/** Two people in two browsers: what one does, the other sees. */
describe('life in two browsers', () => {
  let app: TestApp;
  let ada: TestPage;
  let marek: TestPage;
  let marekId = 0;
  let id = 0;
  beforeAll(async () => {
    app = await openTestApp({ apps: ['crm'], hasBus: true, keepsClient: true });
    const person = await makePerson(app, 'Marek Oravec');
    marekId = person.id;
    [ada, marek] = await Promise.all([app.open(), app.open({ as: person })]);
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    id = await app.rpc<number>('crm.lead', 'create', [{ name: 'Harbour refit', type: 'opportunity' }]);
  });

  const form = () => `/web?model=crm.lead&view_type=form&id=${id}`;
  const bothOpen = () => Promise.all([ada.visit(form()), marek.visit(form())]);

  long('CHA-2 a comment is there at once, and at the other within a second', async () => {
    await bothOpen();
    await ada.page.getByLabel('Comment').fill('Is the **crane** booked?');
    await showsUp(marek, '.chatter-bubble strong', 'crane', () => ada.page.keyboard.press('Control+Enter'));
    await ada.idle();
    expect(await ada.text('.chatter-bubble')).toBe('Is the crane booked?');
    expect(await ada.page.getByLabel('Comment').inputValue()).toBe('');
    await ada.checkAccessible();
  });

  long(
    'CHA-5 a mention by keyboard reaches the person, is counted, opens the record, and stays over a reload',
    async () => {
      await ada.visit(form());
      await marek.visit('/web/home');
      await ada.click(ada.page.getByLabel('Comment'));
      await ada.type('See @mar');
      await ada.page.getByRole('option', { name: 'Marek Oravec' }).waitFor();
      await ada.press('Enter');
      await ada.type('please');
      expect(await ada.page.getByLabel('Comment').inputValue()).toBe('See @Marek Oravec please');
      await showsUp(marek, '.toast', 'mentioned you', () => ada.page.keyboard.press('Control+Enter'));
      const bell = marek.page.getByRole('button', { name: '1 new notification' });
      await bell.waitFor();
      await marek.visit('/web/home');
      await bell.waitFor();
      await marek.click(bell);
      await marek.page.locator('.notices-line').waitFor();
      await marek.checkAccessible();
      await marek.click(marek.page.getByRole('link', { name: /Ada Lindqvist mentioned you/ }));
      expect(marek.page.url()).toContain(`id=${id}`);
      await marek.page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
      await marek.page.locator('.chatter-bubble a', { hasText: '@Marek Oravec' }).waitFor();
    },
  );

  it('SCN-38 SCN-40 a mention of somebody who may not read the record says so', async () => {
    const hidden = await app.rpc<number>('core.partner', 'create', [{ name: 'Private friend', is_private: true }]);
    const [plain] = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
      [['key', '=', 'contacts.group_user']],
      ['id'],
    ]);
    const nia = { name: 'Nia Plain', login: 'nia@example.com', password: 'another long password' };
    await app.rpc('core.user', 'create', [{ ...nia, group_ids: [['link', plain?.id]] }]);
    await ada.visit(`/web?model=core.partner&view_type=form&id=${hidden}`);
    await ada.click(ada.page.getByLabel('Comment'));
    await ada.type('See @nia');
    await ada.page.getByRole('option', { name: 'Nia Plain' }).waitFor();
    await ada.press('Enter');
    await ada.press('Control+Enter');
    const toast = ada.page.locator('.toast', { hasText: 'Nia Plain cannot open this record' });
    await toast.getByText('No list of people').waitFor();
    const mention = ada.page.locator('.chatter-bubble a', { hasText: 'Nia Plain' });
    await mention.waitFor();
    // SCN-40: nothing would let her in, so the mention can be taken out.
    await ada.click(toast.getByRole('button', { name: 'Remove the mention' }));
    await mention.waitFor({ state: 'detached' });
    await ada.page.locator('.chatter-bubble', { hasText: 'See Nia Plain' }).waitFor();
  });

  long('CHA-4 a tracked change shows old and new at the other', async () => {
    await bothOpen();
    await retype(ada, 'Expected revenue', '4200');
    const save = () => ada.page.keyboard.press('Control+s');
    await showsUp(marek, '.chatter-track', '4,200', save);
    await expect.poll(() => marek.page.getByLabel('Expected revenue').inputValue()).toMatch(/4,?200/);
  });

  long('CHA-7 files go with a comment, and pictures are drawn', async () => {
    await bothOpen();
    const dot = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
      'base64',
    );
    await ada.page.locator('.chatter input[type=file]').setInputFiles([
      { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('A plan') },
      { name: 'dot.png', mimeType: 'image/png', buffer: dot },
    ]);
    await ada.page.getByRole('button', { name: 'Remove plan.txt' }).waitFor();
    await ada.click(ada.page.getByRole('button', { name: 'Send' }));
    await marek.page.getByRole('img', { name: 'dot.png' }).waitFor();
    const link = marek.page.getByRole('link', { name: /plan\.txt/ });
    const got = await marek.page.context().request.get(String(await link.getAttribute('href')));
    expect(await got.text()).toBe('A plan');
    await marek.checkAccessible();
  });

  long(
    'CHA-6 an activity is planned beside the record, counted at the person, and done with what came of it',
    async () => {
      await bothOpen();
      // From any tab, by the palette.
      await ada.press('Control+k');
      await ada.type('plan');
      await ada.click(ada.page.getByRole('option', { name: 'Plan an activity' }));
      await ada.click(ada.page.getByRole('button', { name: 'Call', exact: true }));
      await ada.page.getByLabel('Summary').fill('Ring the yard');
      await ada.page
        .getByLabel('Due', { exact: true })
        .fill(new Date(Date.now() - 86_400_000).toISOString().slice(0, 10));
      const person = ada.page.getByRole('combobox', { name: 'For' });
      await person.click();
      await ada.type('Marek');
      await ada.press('Enter');
      await ada.checkAccessible();
      await ada.click(ada.page.getByRole('button', { name: 'Plan', exact: true }));
      await ada.page.locator('.activity-late', { hasText: 'Marek Oravec' }).waitFor();
      const counter = marek.page.getByRole('button', { name: '1 activity is due' });
      await counter.waitFor();
      await marek.page.getByRole('tab', { name: 'Activities 1' }).waitFor();
      await marek.click(counter);
      await marek.page.getByRole('link', { name: /Ring the yard/ }).waitFor();
      await marek.checkAccessible();
      await marek.press('Escape');
      await marek.click(marek.page.getByRole('tab', { name: /Activities/ }));
      await marek.click(marek.page.getByRole('button', { name: 'Done: Ring the yard' }));
      await marek.page.getByLabel('Outcome').fill('They *will* call back');
      // SCN-68: it is gone before there is an answer, and back with what was typed when the answer is no.
      const refuse = await refuseNext(marek, 'call');
      await marek.page.getByRole('button', { name: 'Mark as done' }).click();
      await marek.page.getByText('Nothing planned.').waitFor();
      await refuse();
      await marek.page.getByText('Not today.').waitFor();
      expect(await marek.page.getByLabel('Outcome').inputValue()).toBe('They *will* call back');
      await marek.click(marek.page.getByRole('button', { name: 'Mark as done' }));
      await marek.page.getByRole('button', { name: 'My activities' }).waitFor();
      await ada.page.getByText('Nothing planned.').waitFor();
      await ada.click(ada.page.getByRole('tab', { name: 'Discussion' }));
      await ada.page.locator('.chatter-message', { hasText: 'Call done: Ring the yard' }).waitFor();
      await marek.click(marek.page.getByRole('tab', { name: 'Discussion' }));
    },
  );

  long('EVT-6 shows who else has the record open, until they leave', async () => {
    await bothOpen();
    await ada.page.getByText('Also viewed by Marek Oravec').waitFor({ state: 'attached' });
    await marek.page.getByText('Also viewed by Ada Lindqvist').waitFor({ state: 'attached' });
    await ada.checkAccessible();
    await marek.visit('/web/home');
    await ada.page.getByText('Also viewed by').waitFor({ state: 'detached' });
  });

  long('a row of a list changes under nobody’s hands, and a row that is being edited stays', async () => {
    const list = '/web?model=core.partner.tag&view_type=list';
    const tag = await app.rpc<number>('core.partner.tag', 'create', [{ name: 'Mooring' }]);
    const other = await app.rpc<number>('core.partner.tag', 'create', [{ name: 'Yard' }]);
    await ada.visit(list);
    const row = (name: string) => ada.page.locator('tr', { hasText: name });
    await app.rpc('core.partner.tag', 'write', [[other], { name: 'Yards' }]);
    await row('Yards').waitFor();
    const cell = row('Mooring').locator('[data-col="0"]');
    const { width = 0 } = (await cell.boundingBox()) ?? {};
    await cell.click({ position: { x: width - 12, y: 18 } });
    const input = ada.page.locator('.list-edit input');
    await input.waitFor();
    await input.fill('Mooring li');
    const before = await input.boundingBox();
    await app.rpc('core.partner.tag', 'create', [{ name: 'Aaa' }]);
    await app.rpc('core.partner.tag', 'write', [[other], { name: 'Yards again' }]);
    await row('Yards again').waitFor();
    expect(await input.inputValue()).toBe('Mooring li');
    expect(await input.boundingBox()).toEqual(before);
    await input.press('Enter');
    await ada.idle();
    await row('Aaa').waitFor();
    const [saved] = await app.rpc<{ name: string }[]>('core.partner.tag', 'read', [[tag], ['name']]);
    expect(saved?.name).toBe('Mooring li');
  });

  long('rows in sight stay where they are when others add some above', async () => {
    await ada.visit('/web?model=core.country&view_type=list');
    await ada.page.locator('.list-scroll').evaluate((scroll) => scroll.scrollTo(0, 2_000));
    const row = ada.page.getByRole('link', { name: 'Dominica', exact: true });
    await row.waitFor();
    await ada.idle();
    const before = await row.boundingBox();
    await app.rpc('core.country', 'create', [{ name: 'Aaland', code: 'QX', code3: 'QXX' }]);
    await expect.poll(() => ada.text('.pager'), { timeout: 120_000 }).toContain('of 250');
    await ada.idle();
    expect(await row.boundingBox()).toEqual(before);
  });

  long('CRN-4 a job is run from its form, and the run is there when it has ended', async () => {
    const [job] = await app.rpc<{ id: number }[]>('sys.cron', 'search_read', [
      [['handler', '=', 'base.clean_logs']],
      [],
    ]);
    await ada.visit(`/web?action=base.crons&view_type=form&id=${job?.id}`);
    await ada.click(ada.page.getByRole('button', { name: 'Run now' }));
    await ada.page.locator('.badge', { hasText: 'Done' }).waitFor();
    await ada.checkAccessible();
  });

  long('a form under somebody’s hands says who changed it, and lets them choose', async () => {
    await bothOpen();
    await retype(ada, 'Expected revenue', '100');
    await retype(marek, 'Expected revenue', '200');
    await marek.press('Control+s');
    await ada.page.getByText('Marek Oravec changed this in the meantime.').waitFor();
    expect(await ada.page.getByLabel('Expected revenue').inputValue()).toMatch(/^100/);
    await ada.checkAccessible();
    await ada.click(ada.page.getByRole('button', { name: 'Review' }));
    await ada.page.getByRole('dialog').getByText('200').waitFor();
    await ada.press('Escape');
    await ada.click(ada.page.getByRole('button', { name: 'Discard' }));
  });

  long('a card that is moved moves at the other', async () => {
    const board = '/web?action=crm.pipeline&view_type=kanban&filter=';
    const stages = await app.rpc<{ id: number; name: string }[]>('crm.stage', 'search_read', [[], ['name']]);
    await Promise.all([ada.visit(board), marek.visit(board)]);
    const name = `Moving ${id}`;
    await app.rpc('crm.lead', 'write', [[id], { name, stage_id: stages[0]?.id, user_id: marekId }]);
    const card = (page: TestPage) => page.page.locator('article[data-card]', { hasText: name });
    await Promise.all([card(ada).waitFor(), card(marek).waitFor()]);
    await card(ada).locator('.kanban-title').focus();
    await ada.press('Space');
    await ada.press('ArrowRight');
    const target = `section[aria-label="${stages[1]?.name}"] article`;
    await showsUp(marek, target, name, () => ada.page.keyboard.press('Space'));
  });
});

/** Holds the next call of a method; the returned function answers it with a refusal. */
async function refuseNext({ page, idle, forgive }: TestPage, method: string): Promise<() => Promise<void>> {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/rpc', async (route) => {
    if ((route.request().postDataJSON() as { method: string }).method !== method) return route.continue();
    await held;
    const error = { code: 'VALIDATION_ERROR', message: 'Not today.', details: {} };
    await route.fulfill({ status: 422, json: { ok: false, error } });
    await page.unroute('**/api/rpc');
  });
  return async () => {
    answer();
    await idle();
    forgive(/422/);
  };
}
