import type { ActionCall } from '@kontor/addon';

const kept = ['name', 'repeat', 'repeat_every', 'repeat_until', 'date_deadline', 'date_start', 'date_end'] as const;

/** A task that repeats is followed by the next one when it is done: with the same people and steps, a span later. */
export async function repeatTasks({ env, records }: ActionCall<'project.task'>): Promise<void> {
  const tasks = env.model('project.task');
  for (const { id, ...task } of await tasks.read(records.ids, [...kept])) {
    const { repeat, repeat_every: every, repeat_until: until } = task;
    if (repeat === null) continue;
    const today = env.now.toISOString().slice(0, 10);
    const deadline = later(String(task.date_deadline ?? today), repeat, every);
    // The next one goes on repeating: a task that is reopened and done again has no second follower.
    await tasks.write([id], { repeat: null });
    if (until !== null && deadline > String(until)) continue;
    await tasks.copy(id, {
      name: task.name,
      repeat,
      date_deadline: deadline,
      date_start: task.date_start === null ? null : moment(task.date_start, repeat, every),
      date_end: task.date_end === null ? null : moment(task.date_end, repeat, every),
    });
  }
}

/** The same day a span later; the 31st becomes the last day of a shorter month. */
export function later(day: string, span: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  const months = { month: 1, year: 12 }[span];
  if (months === undefined) date.setUTCDate(date.getUTCDate() + count * (span === 'week' ? 7 : 1));
  else {
    const wanted = date.getUTCDate();
    date.setUTCDate(1);
    date.setUTCMonth(date.getUTCMonth() + months * count);
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    date.setUTCDate(Math.min(wanted, last));
  }
  return date.toISOString().slice(0, 10);
}

function moment(at: unknown, span: string, count: number): string {
  const text = new Date(String(at)).toISOString();
  return `${later(text.slice(0, 10), span, count)}${text.slice(10)}`;
}
