import { today } from '../i18n/local-time.ts';
import { bootstrap, hasFeature } from '../state/bootstrap.ts';
import { whenIdle } from '../state/idle.ts';
import { createStore } from '../state/store.ts';
import { onCatchUp, onEvent } from './bus.ts';
import { sendChange } from './changes.ts';
import { request } from './request.ts';
import { readGroup, rpc, searchRead, type Values } from './rpc.ts';

export interface Activity {
  readonly id: number;
  readonly name: string;
  /** Sanitised HTML. */
  readonly note: string;
  readonly dueDate: string;
  readonly user: { readonly id: number; readonly name: string };
  readonly type: { readonly id: number; readonly name: string; readonly icon: string | null };
  /** Whether the user may edit it and mark it as done. */
  readonly isOwn: boolean;
}

export interface ActivityType {
  readonly id: number;
  readonly name: string;
  readonly icon: string;
}

const model = 'mail.activity';

export interface RecordActivities {
  readonly activities: readonly Activity[];
  /** Whether the home screen shows the user comments and changes of others on the record. */
  readonly isFollowed: boolean;
  readonly fileCount: number;
}

export async function loadActivities(ofModel: string, id: number): Promise<RecordActivities> {
  const query = new URLSearchParams({ model: ofModel, id: String(id) });
  const { body } = await request<RecordActivities>(`${bootstrap().wcApiBase}/activities?${query}`);
  return body;
}

export async function loadActivityTypes(): Promise<readonly ActivityType[]> {
  const rows = await searchRead('mail.activity.type', [['active', '=', true]], ['name', 'icon']);
  return rows.map(({ id, name, icon }) => ({ id, name: String(name), icon: String(icon ?? 'check') }));
}

/** What the chosen type sets: a summary, if there is none yet, and a due date. */
export async function typeChosen(values: Values): Promise<Values> {
  const { value } = await rpc<{ value: Values }>({ model, method: 'onchange', args: [values, 'type_id'] });
  return value;
}

export async function planActivity(values: Values): Promise<void> {
  await sendChange({ model, method: 'create', args: [values] });
}

export async function changeActivity(id: number, values: Values): Promise<void> {
  await sendChange({ model, method: 'write', args: [[id], values] });
}

export async function finishActivity(id: number, feedback: string): Promise<void> {
  await sendChange({ model, method: 'call', args: [id, 'action_done', feedback === '' ? {} : { feedback }] });
}

/** Returns the change set that undoes it. */
export async function cancelActivity(id: number): Promise<number> {
  return (await sendChange({ model, method: 'unlink', args: [[id]] })).changeSet;
}

export type Due = 'late' | 'today' | 'planned';

export interface MyActivity {
  readonly id: number;
  readonly name: string;
  readonly about: string;
  readonly dueDate: string;
  readonly icon: string;
  readonly href: string;
}

interface ActivityCounts {
  readonly late: number;
  readonly today: number;
  readonly planned: number;
}

const shown = 60;

/** The number of open activities of this user; null if the module is not installed. */
export const activityCounts = createStore<ActivityCounts | null>(null);
/** The next activities of this user; null until the list is opened. */
export const myActivities = createStore<readonly MyActivity[] | null>(null);

export function dueOf(dueDate: string, day = today()): Due {
  return dueDate < day ? 'late' : dueDate === day ? 'today' : 'planned';
}

/** Updates the counts when an activity of this user changes, and at midnight. */
export function followMyActivities(): () => void {
  if (!hasFeature('activities')) return () => {};
  let day = today();
  const refresh = () => {
    void count();
    if (myActivities.get()) void loadMyActivities();
  };
  whenIdle(refresh);
  const clock = setInterval(() => {
    if (day === today()) return;
    day = today();
    refresh();
  }, 60_000);
  const stops = [onEvent('activity.assigned', refresh), onCatchUp(refresh), () => clearInterval(clock)];
  return () => {
    for (const stop of stops) stop();
  };
}

export async function loadMyActivities(isQuiet = true): Promise<void> {
  const fields = ['name', 'record_name', 'due_date', 'type_id.icon', 'model', 'res_id'];
  const rows = await searchRead(model, mine(), fields, { limit: shown, order: 'due_date, id' }, { isQuiet }).catch(
    () => null,
  );
  if (!rows) return;
  myActivities.set(
    rows.map((row) => ({
      id: row.id,
      name: String(row.name),
      about: String(row.record_name ?? ''),
      dueDate: String(row.due_date),
      icon: String(row['type_id.icon'] ?? 'check'),
      href: `/web?${new URLSearchParams({ model: String(row.model), view_type: 'form', id: String(row.res_id) })}`,
    })),
  );
}

async function count(): Promise<void> {
  const spec = { domain: mine(), groupby: ['due_date:day'], fields: [] };
  const rows = await readGroup(model, spec, { isQuiet: true }).catch(() => null);
  if (!rows) return;
  const counts = { late: 0, today: 0, planned: 0 };
  for (const row of rows) counts[dueOf(String(row['due_date:day']))] += Number(row.__count);
  activityCounts.set(counts);
}

function mine() {
  return [['user_id', '=', bootstrap().user.id] as const, ['done', '=', false] as const];
}
