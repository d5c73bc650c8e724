import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';

const path = '/web?action=project.tasks&view_type=gantt&scale=month&date=2026-11-18';

interface Task {
  readonly name: string;
  readonly date_start: string | null;
  readonly date_end: string | null;
}

let app: TestApp;
let ids: Map<string, number>;
beforeAll(async () => {
  app = await openTestApp({ apps: ['project'] });
  const lena = { login: 'lena@example.com', name: 'Lena Vogt', password: 'a long enough password' };
  const person = await app.rpc<number>('core.user', 'create', [lena]);
  const project_id = await app.rpc<number>('project.project', 'create', [{ name: 'Harbour' }]);
  // Wednesday is a holiday, and Lena is away on Monday the 23rd.
  await app.rpc('core.holiday', 'create', [{ name: 'Repentance day', date_from: '2026-11-18' }]);
  await app.rpc('core.leave', 'create', [{ user_id: person, date_from: '2026-11-23' }]);
  ids = new Map();
  const make = async (name: string, start: string, end: string, waits?: string) => {
    const values = {
      ...{ name, project_id, date_start: `${start}:00Z`, date_end: `${end}:00Z`, hours_planned: 8 },
      assignee_ids: [['set', [person]]],
      depends_on_ids: waits ? [['link', ids.get(waits)]] : [],
    };
    ids.set(name, await app.rpc<number>('project.task', 'create', [values]));
  };
  await make('Saw', '2026-11-17T08:00', '2026-11-17T17:00');
  await make('Glue', '2026-11-19T08:00', '2026-11-20T12:00', 'Saw');
  await make('Hang', '2026-11-27T08:00', '2026-11-27T17:00', 'Glue');
});
afterAll(() => app.close());

it('PLN-18 a bar lands in working time, followers without slack keep theirs, and one undo restores all', async () => {
  const screen = await app.open({ path });
  const dates = async () => {
    const found = await app.rpc<Task[]>('project.task', 'search_read', [[], ['name', 'date_start', 'date_end']]);
    return Object.fromEntries(
      found.map(({ name, date_start: start, date_end: end }) => [name, `${start?.slice(5, 16)} ${end?.slice(5, 16)}`]),
    );
  };
  const before = await dates();
  const bar = (name: string) => screen.page.locator(`[data-bar="${ids.get(name)}"]`);
  // Seven weekends, whole or in part, and the holiday.
  expect(await screen.page.locator('.gantt-free').count()).toBe(7 + 1);
  const row = screen.page.locator('.gantt-load-row', { hasText: 'Lena Vogt' });
  // Thirty days of eight hours, without the holiday and her leave.
  expect(await screen.text(row)).toContain('24 of 224 h');
  await bar('Saw').focus();
  await screen.page.keyboard.press('Shift+ArrowRight');
  await screen.page.keyboard.up('Shift');
  await screen.idle();
  expect(await screen.text('dialog')).toContain('1 entry depends on it');
  await screen.click(screen.find('button', 'Move along'));
  // Over the holiday to Thursday; Glue goes on after the leave; Hang has slack.
  expect(await dates()).toEqual({
    ...before,
    Saw: '11-19T08:00 11-19T17:00',
    Glue: '11-20T08:00 11-24T12:00',
  });
  await screen.click(screen.find('button', 'Undo'));
  expect(await dates()).toEqual(before);
  await screen.visit('/web?action=project.tasks&view_type=calendar&scale=week&date=2026-11-18');
  const off = await screen.page
    .locator('.calendar-day.is-off')
    .evaluateAll((all) => all.map((one) => one.dataset.hours));
  expect(off).toEqual(['2026-11-15', '2026-11-18', '2026-11-21']);
  expect(screen.problems).toEqual([]);
  await screen.close();
});
