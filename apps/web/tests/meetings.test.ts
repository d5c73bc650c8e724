import { afterAll, beforeAll, expect, it } from 'vitest';
import { long, openTestApp, type TestApp } from './browser.ts';
import type { TestPage } from './test-page.ts';

const week = '/web?action=calendar.meetings&view_type=calendar&scale=week&date=2026-11-18';
const lena = { login: 'lena@example.com', password: 'a long enough password' };

let app: TestApp;
let screen: TestPage;
beforeAll(async () => {
  app = await openTestApp({ apps: ['calendar'] });
  const users = await app.rpc<{ id: number }[]>('core.user', 'search_read', [[], ['id']]);
  await app.rpc('core.user', 'write', [users.map(({ id }) => id), { tz: 'Europe/Berlin' }]);
  const group = await app.rpc<{ id: number }[]>('core.group', 'search_read', [
    [['key', '=', 'base.group_user']],
    ['id'],
  ]);
  const groups = [['set', group.map(({ id }) => id)]];
  await app.rpc('core.user', 'create', [{ ...lena, name: 'Lena Vogt', tz: 'Europe/Berlin', group_ids: groups }]);
});
afterAll(() => app.close());

const entry = (name: string) => screen.page.locator('.calendar-main [data-entry]', { hasText: name }).first();
/** By the card beside the entry. */
const openForm = async (name: string) => {
  await screen.click(entry(name));
  await screen.click(screen.page.locator('.calendar-card').getByRole('button', { name: 'Edit' }));
};
const spot = async (day: string, hour: number) => {
  const box = await screen.page.locator(`[data-hours="${day}"]`).boundingBox();
  if (!box) throw new Error(`${day} is not on screen.`);
  return { x: box.x + box.width / 2, y: box.y + (box.height * hour) / 24 };
};
const pull = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
  await screen.page.mouse.move(from.x, from.y);
  await screen.page.mouse.down();
  await screen.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await screen.page.mouse.move(to.x, to.y, { steps: 4 });
  await screen.page.mouse.up();
  await screen.idle();
};
const starts = async () => {
  const rows = await app.rpc<{ start: string }[]>('calendar.event', 'search_read', [
    [['name', '=', 'Tide table']],
    ['start'],
  ]);
  return rows.map(({ start }) => start.slice(0, 16)).sort();
};

it('MTG-18: a meeting is drawn, repeated, moved, answered and deleted, and the address of a calendar shown and revoked', async () => {
  screen = await app.open({ path: week });
  await pull(await spot('2026-11-18', 10.02), await spot('2026-11-18', 11));
  await screen.type('Tide table');
  await screen.press('Enter');
  expect(await starts()).toEqual(['2026-11-18T09:00']);

  await openForm('Tide table');
  await screen.click(screen.find('button', 'Repeat').first());
  const dialog = screen.page.locator('dialog[open]');
  expect(await dialog.getByRole('button', { name: 'Wed' }).getAttribute('aria-pressed')).toBe('true');
  await dialog.getByLabel('Ends').selectOption('count');
  await dialog.getByLabel('Times').fill('4');
  await screen.checkAccessible();
  await screen.click(dialog.locator('footer button.btn-primary'));
  expect(await starts()).toEqual(['2026-11-18T09:00', '2026-11-25T09:00', '2026-12-02T09:00', '2026-12-09T09:00']);

  await screen.go(week.replace('2026-11-18', '2026-11-25'));
  await pull(await spot('2026-11-25', 10.5), await spot('2026-11-26', 12.5));
  await screen.click(screen.find('radio', 'This meeting'));
  await screen.checkAccessible();
  await screen.click(screen.find('button', 'Move').last());
  expect((await starts())[1]).toBe('2026-11-26T11:00');
  expect((await starts())[2]).toBe('2026-12-02T09:00');

  await screen.go(week.replace('2026-11-18', '2026-12-02'));
  await openForm('Tide table');
  await screen.click(screen.find('button', 'Delete from series').first());
  await screen.click(dialog.getByRole('radio', { name: 'This and the following' }));
  await screen.click(dialog.locator('footer button.btn-primary, footer button.btn-danger').first());
  expect(await starts()).toEqual(['2026-11-18T09:00', '2026-11-26T11:00']);
  // The form looks once more for what it has just deleted.
  screen.forgive(/404/);
  expect(screen.problems).toEqual([]);
  await screen.close();

  const [event] = await app.rpc<{ id: number }[]>('calendar.event', 'search_read', [
    [['name', '=', 'Tide table']],
    ['id'],
  ]);
  const [person] = await app.rpc<{ id: number }[]>('core.user', 'search_read', [[['login', '=', lena.login]], ['id']]);
  await app.rpc('calendar.event', 'write', [[event?.id], { user_ids: [['link', person?.id]] }]);
  screen = await app.open({ as: lena, path: `/web?model=calendar.event&view_type=form&id=${event?.id}` });
  await screen.click(screen.find('button', 'Maybe').first());
  const answers = await app.rpc<{ answer: string }[]>('calendar.person', 'search_read', [
    [
      ['event_id', '=', event?.id],
      ['user_id', '=', person?.id],
    ],
    ['answer'],
  ]);
  expect(answers).toMatchObject([{ answer: 'maybe' }]);

  await screen.go('/web?action=calendar.address');
  await screen.click(screen.find('button', 'Create an address'));
  const address = await screen.page.getByLabel('The address (shown only once)').inputValue();
  expect((await fetch(address)).status).toBe(200);
  await screen.checkAccessible();
  await screen.page.reload();
  await screen.idle();
  expect(await screen.page.getByLabel('The address (shown only once)').count()).toBe(0);
  await screen.click(screen.find('button', 'Revoke'));
  expect((await fetch(address)).status).toBe(404);
  expect(screen.problems).toEqual([]);
  await screen.close();
});

it('MTG-21 a click shows a card beside the meeting, and one that is declined there looks declined at once', async () => {
  const [me] = await app.rpc<{ id: number }[]>('core.user', 'search', [[['login', '=', 'ada@example.com']]]);
  await app.rpc('calendar.event', 'create', [
    {
      ...{ name: 'Harbour walk', start: '2026-11-19T09:00:00Z', stop: '2026-11-19T10:00:00Z', place: 'Pier 4' },
      user_ids: [['set', [me?.id]]],
    },
  ]);
  screen = await app.open({ path: week });
  const before = screen.page.url();
  await screen.click(entry('Harbour walk'));
  const card = screen.page.locator('.calendar-card');
  await card.getByText('Pier 4').waitFor();
  await card.getByText('Ada').first().waitFor();
  expect(screen.page.url()).toBe(before);
  await screen.checkAccessible();
  await screen.click(card.getByRole('button', { name: 'No', exact: true }));
  await screen.page.locator('.calendar-muted', { hasText: 'Harbour walk' }).first().waitFor();
  expect(await card.count()).toBe(0);
  expect(screen.problems).toEqual([]);
  await screen.close();
});

long('MTG-24 the form of a new meeting shows who is busy, and takes the next time at which all are free', async () => {
  const [row] = await app.rpc<{ id: number }[]>('core.user', 'search_read', [[['login', '=', lena.login]], ['id']]);
  const person = row?.id;
  await app.rpc('calendar.event', 'create', [
    {
      ...{ name: 'Dentist', start: '2026-11-20T08:00:00Z', stop: '2026-11-20T10:00:00Z', privacy: 'people' },
      ...{ organiser_id: person, user_ids: [['set', [person]]] },
    },
  ]);
  const context = { default_start: '2026-11-20T09:00:00Z', default_user_ids: [['set', [1, person]]] };
  const path = `/web?action=calendar.meetings&view_type=form&context=${encodeURIComponent(JSON.stringify(context))}`;
  for (const look of [{}, { size: 'phone' }, { theme: 'dark' }] as const) {
    screen = await app.open({ path, ...look });
    const busy = screen.page.getByRole('group', { name: 'Availability' });
    await busy.locator('.calendar-busy-row', { hasText: 'Lena Vogt' }).getByText('Busy', { exact: true }).waitFor();
    expect(await busy.textContent()).not.toContain('Dentist');
    await screen.checkAccessible();
    const { right, width } = await busy.evaluate((element) => ({
      right: Math.max(...[...element.querySelectorAll('*')].map((one) => one.getBoundingClientRect().right)),
      width: document.documentElement.clientWidth,
    }));
    expect(right).toBeLessThanOrEqual(width);
    await screen.click(busy.getByRole('button', { name: /Next time when all are free.*11:00/ }));
    await expect.poll(() => busy.getByText('Busy', { exact: true }).count()).toBe(0);
    expect(screen.problems).toEqual([]);
    await screen.close();
  }
});

long(
  'SCN-61 a meeting that is not saved yet is answered by nobody, and its way begins in its app, not at home',
  async () => {
    const fresh = await app.open({ path: '/web/home' });
    await fresh.press('Control+k');
    await fresh.type('new meet');
    await fresh.find('option', /New meeting/).waitFor();
    await fresh.press('Enter');
    await fresh.find('button', 'Save').waitFor();
    expect(await fresh.find('button', 'Maybe').count()).toBe(0);
    expect(await fresh.text('.crumbs')).not.toContain('Home');
  },
);
