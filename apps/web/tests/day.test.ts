import { addDays } from '@kontor/protocol';
import { noon } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, long, openTestApp, type TestApp } from './browser.ts';
import { showsUp } from './life-world.ts';
import type { TestPage } from './test-page.ts';

const { tz, today } = noon();
const inDays = (days: number) => addDays(today, days);

describe('the day on home', () => {
  let app: TestApp;
  let home: TestPage;
  let project = 0;
  let callType = 0;

  beforeAll(async () => {
    app = await openTestApp({ apps: ['sale', 'project'], hasBus: true, keepsClient: true });
    await app.rpc('core.user', 'write', [[1], { tz }]);
    const [type] = await app.rpc<{ id: number }[]>('mail.activity.type', 'search_read', [[], ['id']], { limit: 1 });
    callType = type?.id ?? 0;
    project = await app.rpc('project.project', 'create', [{ name: 'Harbour hotel' }]);
    await app.rpc('project.project', 'call', [project, 'action_start']);
    const partner = await app.rpc('core.partner', 'create', [{ name: 'Brightwater Logistics' }]);
    const dates = { date_order: `${inDays(-30)}T08:00:00Z`, validity_date: inDays(2) };
    await app.rpc('sale.order', 'create', [{ partner_id: partner, user_id: 1, ...dates }]);
    await task('Approve the plan', -1);
    await task('Check the fabric', 0);
    await activity('Call about the window', -2);
    home = await app.open({ path: '/web/home' });
  });
  afterAll(async () => {
    await home.close();
    await app.close();
  });

  const task = (name: string, days: number) =>
    app.rpc<number>('project.task', 'create', [
      { name, project_id: project, date_deadline: inDays(days), assignee_ids: [['set', [1]]] },
    ]);
  const activity = (name: string, days: number, values: object = {}) =>
    app.rpc<number>('mail.activity', 'create', [
      {
        ...{ name, model: 'project.project', res_id: project, user_id: 1, due_date: inDays(days), type_id: callType },
        ...values,
      },
    ]);
  const titles = ({ page }: TestPage = home) => page.locator('.day-row:not(.is-leaving) .day-link b').allTextContents();
  const row = (name: string, { page }: TestPage = home) => page.locator('.day-row', { hasText: name });

  it('DAY-8 is one list by urgency, which says how much is late and due, and tabs narrow it', async () => {
    expect(await titles()).toEqual(['Call about the window', 'Approve the plan', 'Check the fabric', 'S00001 expires']);
    expect(await row('Call about').locator('time').textContent()).toBe('2 days late');
    expect(await row('Check the').locator('time').textContent()).toBe('today');
    expect(await home.text('.page-title p')).toContain('2 late, 1 due today');
    await home.checkAccessible();
    await home.click(home.find('button', 'Tasks 2'));
    expect(await titles()).toEqual(['Approve the plan', 'Check the fabric']);
    await home.click(home.find('button', 'All 4'));
    expect(await titles()).toHaveLength(4);
    await home.click(row('Check the').locator('.day-link'));
    expect(await home.text('.crumbs')).toContain('Check the fabric');
    await home.page.goBack();
    await home.idle();
    await home.page.locator('.side-line', { hasText: 'Check the fabric' }).waitFor();
  });

  it('DAY-13 has the board below it that the person chose', async () => {
    await home.page.locator('.home-board .board-grid').waitFor();
    const boards = home.page.getByLabel('Board', { exact: true });
    const names = await boards.locator('option').allTextContents();
    expect(names.length).toBeGreaterThan(1);
    const other = names.find((name) => name !== names[0]) ?? '';
    await boards.selectOption({ label: other });
    await home.idle();
    await home.page.reload();
    await home.idle();
    expect(await boards.locator('option:checked').textContent()).toBe(other);
    await home.page.locator('.home-board .board-grid').waitFor();
  });

  it('DAY-9 does and moves by key and click, leaves an undo, and no row changes its height', async () => {
    const before = await row('Approve').boundingBox();
    await row('Approve').hover();
    expect(await row('Approve').boundingBox()).toEqual(before);
    await row('Call about').locator('.day-link').focus();
    await home.press('ArrowDown');
    expect(await home.page.evaluate(() => document.activeElement?.textContent)).toContain('Approve the plan');
    await home.press('e');
    await expect.poll(() => titles()).toEqual(['Call about the window', 'Check the fabric', 'S00001 expires']);
    expect(await home.page.evaluate(() => document.activeElement?.textContent)).toContain('Check the fabric');
    await home.click(home.page.locator('.toast', { hasText: 'Approve' }).getByRole('button', { name: 'Undo' }));
    await row('Approve the plan').waitFor();
    expect(await titles()).toHaveLength(4);

    await home.page.mouse.move(0, 0);
    await row('Call about').locator('.day-link').focus();
    await home.press('t');
    await expect.poll(() => row('Call about').locator('time').textContent()).toBe('tomorrow');
    const [found] = await app.rpc<{ due_date: string }[]>('mail.activity', 'search_read', [
      [['name', '=', 'Call about the window']],
      ['due_date'],
    ]);
    expect(found?.due_date).toBe(inDays(1));
    await row('S00001').hover();
    expect(await row('S00001').getByRole('button').allTextContents()).toEqual(['Confirm']);
  });

  it('DAY-10 shows within a second what somebody else gives the person to do, and what they write', async () => {
    const password = admin.password;
    const groups = ['base.group_user', 'project.group_manager'].map((name) => name.split('.'));
    const ids: number[] = [];
    for (const [module, name] of groups) {
      const rows = await app.rpc<{ res_id: number }[]>('sys.model.data', 'search_read', [
        [
          ['module', '=', module],
          ['name', '=', name],
        ],
        ['res_id'],
      ]);
      ids.push(...rows.map((one) => one.res_id));
    }
    await app.rpc('core.user', 'create', [
      { name: 'Mia Berg', login: 'mia@example.com', password, group_ids: [['set', ids]] },
    ]);
    const theirs = await app.open({ as: { login: 'mia@example.com', password }, path: '/web/home' });
    await theirs.page.getByText('Nothing due.').waitFor();
    const mine = theirs.page.evaluate(
      async ([values, body]) => {
        const boot = (window as { __WC_BOOTSTRAP__?: { csrfToken: string } }).__WC_BOOTSTRAP__;
        const headers = { 'content-type': 'application/json', 'x-csrf-token': boot?.csrfToken ?? '' };
        const call = { model: 'mail.activity', method: 'create', args: [values] };
        await fetch('/api/rpc', { method: 'POST', headers, body: JSON.stringify(call) });
        await fetch('/web/chatter/post', { method: 'POST', headers, body: JSON.stringify(body) });
      },
      [
        { name: 'Ask the site manager', model: 'project.project', res_id: project, user_id: 1, type_id: callType },
        { model: 'project.project', id: project, body: 'The lobby is ready.' },
      ] as const,
    );
    await row('Ask the site manager').waitFor();
    await mine;
    const followed = home.page.locator('.side-line', { hasText: 'Mia wrote about Harbour hotel' });
    await followed.waitFor();
    await home.click(home.find('button', 'Mark all as read'));
    expect(await home.page.getByText('1 new').count()).toBe(0);
    await home.page.reload();
    await home.idle();
    expect(await followed.locator('.sr-only').count()).toBe(0);
    await theirs.checkAccessible();
    await theirs.close();
  });

  it('DAY-16 plans an activity about any record without leaving home, and follows a record by a button', async () => {
    await home.click(home.find('button', 'New activity'));
    const form = home.find('dialog');
    await form.getByLabel('About').selectOption({ label: 'Contact' });
    const record = form.getByRole('combobox', { name: 'Record' });
    await record.fill('Bright');
    await home.idle();
    expect(await form.getByRole('button', { name: 'Plan' }).isDisabled()).toBe(true);
    await home.click(home.find('option', /Brightwater/));
    await form.getByLabel('Summary').fill('Send the brochure');
    await home.checkAccessible();
    await home.click(form.getByRole('button', { name: 'Plan' }));
    await row('Send the brochure').waitFor();
    expect(await row('Send the brochure').textContent()).toContain('Brightwater Logistics');
    await home.click(row('Send the brochure').locator('.day-link'));
    const follow = home.find('button', /^Follow$/);
    expect(await follow.getAttribute('aria-pressed')).toBe('true');
    await home.click(follow);
    expect(await follow.getAttribute('aria-pressed')).toBe('false');
    await home.page.reload();
    await home.idle();
    expect(await follow.getAttribute('aria-pressed')).toBe('false');
    await home.page.goto('/web/home');
    await home.idle();
  });

  it('DAY-11 fits a phone, where a swipe shows the acts, and tells on an empty day what is next', async () => {
    const phone = await app.open({ path: '/web/home', size: 'phone' });
    await phone.checkAccessible();
    expect(await phone.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    const line = row('Approve the plan', phone);
    const done = line.getByRole('button', { name: 'Done: Approve the plan' }).last();
    await line.evaluate((element) => element.scrollTo(element.scrollWidth, 0));
    await phone.click(done);
    await expect.poll(() => titles(phone)).not.toContain('Approve the plan');
    for (const name of await titles(phone))
      if (!name.startsWith('S0')) await phone.click(row(name, phone).locator('.day-tick'));
    await app.rpc('sale.order', 'write', [[1], { validity_date: inDays(40) }]);
    await activity('Follow up', 5);
    const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', timeZone: 'UTC' }).format(
      new Date(`${inDays(5)}T00:00:00Z`),
    );
    await phone.page.getByText(`Nothing due. Next: Follow up, ${weekday}`).waitFor();
    await phone.close();
  });

  long('SCN-40 a mention of somebody outside is heard at once when the record is shared with them', async () => {
    const [group] = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
      [['key', '=', 'project.group_user']],
      ['id'],
    ]);
    const nia = { name: 'Nia Plain', login: 'nia@example.com', password: 'another long password' };
    const niaId = await app.rpc('core.user', 'create', [{ ...nia, group_ids: [['link', group?.id]] }]);
    const closed = await app.rpc<number>('project.project', 'create', [{ name: 'Closed yard', visibility: 'members' }]);
    const theirs = await app.open({ as: nia, path: '/web/home' });
    await home.go(`/web?model=project.project&view_type=form&id=${closed}`);
    await home.click(home.page.getByLabel('Comment'));
    await home.type('See @nia');
    await home.page.getByRole('option', { name: 'Nia Plain' }).waitFor();
    await home.press('Enter');
    await home.press('Control+Enter');
    const share = home.page.getByRole('button', { name: 'Share with Nia Plain' });
    await share.waitFor();
    await showsUp(theirs, '.toast', 'mentioned you', () => share.click());
    await home.page.locator('.toast', { hasText: 'can read it now' }).waitFor();
    const shared = await app.rpc<object[]>('project.project', 'read', [[closed], ['member_ids']]);
    expect(shared).toMatchObject([{ member_ids: expect.arrayContaining([niaId]) }]);
    await theirs.close();
  });
});
