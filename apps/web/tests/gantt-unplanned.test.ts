import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestApp, type TestApp } from './browser.ts';

const path = '/web?action=project.tasks&view_type=gantt&scale=month&date=2026-11-18';

interface Task {
  readonly name: string;
  readonly date_start: string | null;
  readonly date_end: string | null;
}

let app: TestApp;
let project_id: number;
let person: number;
beforeAll(async () => {
  app = await openTestApp({ apps: ['project'] });
  const lena = { login: 'lena@example.com', name: 'Lena Vogt', password: 'a long enough password' };
  person = await app.rpc<number>('core.user', 'create', [lena]);
  project_id = await app.rpc<number>('project.project', 'create', [{ name: 'Harbour' }]);
});
afterAll(() => app.close());

it('PLN-17 lists what has no dates, plans it from today with one undo, and takes it where it is dropped', async () => {
  const values = { project_id, assignee_ids: [['set', [person]]], date_start: null, date_end: null };
  await app.rpc('project.task', 'create_many', [
    [
      { ...values, name: 'Sand', hours_planned: 12 },
      { ...values, name: 'Varnish' },
    ],
  ]);
  const screen = await app.open({ path });
  const list = screen.page.getByRole('region', { name: 'To be planned' });
  await list.getByText('2 entries without dates').waitFor();
  expect(await screen.page.getByText('Nothing here yet').count()).toBe(0);
  await screen.checkAccessible();
  const dated = async () => {
    const found = await app.rpc<Task[]>('project.task', 'search_read', [[], ['name', 'date_start', 'date_end']]);
    return new Map(
      found.map(({ name, date_start: start, date_end: end }) => [name, start && end ? { start, end } : null]),
    );
  };
  await screen.click(list.getByRole('button', { name: 'Plan from today' }));
  await list.waitFor({ state: 'detached' });
  const planned = await dated();
  const [sand, varnish] = [planned.get('Sand'), planned.get('Varnish')];
  expect(Date.parse(String(varnish?.start))).toBeGreaterThanOrEqual(Date.parse(String(sand?.end)) - 1000);
  await screen.click(screen.page.locator('.toast').getByRole('button', { name: 'Undo' }));
  await list.getByText('2 entries without dates').waitFor();
  expect([...(await dated()).values()]).toEqual([null, null]);
  await list.getByText('Varnish').dragTo(screen.page.locator('.gantt-body'));
  await list.getByText('1 entry without dates').waitFor();
  expect((await dated()).get('Varnish')?.start.slice(0, 7)).toBe('2026-11');
  expect(screen.problems).toEqual([]);
  await screen.close();
});
