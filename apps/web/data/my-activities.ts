import { today } from '../i18n/local-time.ts';
import { bootstrap, hasFeature } from '../state/bootstrap.ts';
import { whenQuiet } from '../state/idle.ts';
import { createStore } from '../state/store.ts';
import { onCatchUp, onEvent } from './bus.ts';
import { readGroup, searchRead } from './rpc.ts';

export type Due = 'late' | 'today' | 'planned';

export interface MyActivity {
  readonly id: number;
  readonly name: string;
  readonly about: string;
  readonly dueDate: string;
  readonly icon: string;
  readonly href: string;
}

export interface ActivityCounts {
  readonly late: number;
  readonly today: number;
  readonly planned: number;
}

const model = 'mail.activity';
const shown = 60;

/** What this person has to do; null where there is nothing of the kind. */
export const activityCounts = createStore<ActivityCounts | null>(null);
/** The next ones; null until somebody looks. */
export const myActivities = createStore<readonly MyActivity[] | null>(null);

export function dueOf(dueDate: string, day = today()): Due {
  return dueDate < day ? 'late' : dueDate === day ? 'today' : 'planned';
}

/** Counts again whenever somebody gives this person something to do or takes it away, and when the day changes. */
export function followMyActivities(): () => void {
  if (!hasFeature('activities')) return () => {};
  let day = today();
  const refresh = () => {
    void count();
    if (myActivities.get()) void loadMyActivities();
  };
  whenQuiet(refresh);
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
