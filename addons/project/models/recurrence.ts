import { type ActionCall, addDays, addMonths, dateIn, onDay } from '@kontor/addon';

const kept = ['name', 'repeat', 'repeat_every', 'repeat_until', 'date_deadline', 'date_start', 'date_end'] as const;

/**
 * When a recurring task is done, the next one is created: with the same people and steps, one interval later. Times of
 * day are in the time zone of the user who finishes it.
 */
export async function repeatTasks({ env, records }: ActionCall<'project.task'>): Promise<void> {
  const tasks = env.model('project.task');
  for (const { id, ...task } of await tasks.read(records.ids, [...kept])) {
    const { repeat, repeat_every: every, repeat_until: until } = task;
    if (repeat === null) continue;
    const { tz } = env.actor;
    const deadline = later(String(task.date_deadline ?? dateIn(tz, env.now)), repeat, every);
    const moved = (at: unknown) =>
      at === null ? null : onDay(String(at), later(dateIn(tz, String(at)), repeat, every), tz);
    // The next task continues the recurrence: a task that is reopened and done again has no second successor.
    await tasks.write([id], { repeat: null });
    if (until !== null && deadline > String(until)) continue;
    await tasks.copy(id, {
      name: task.name,
      repeat,
      date_deadline: deadline,
      date_start: moved(task.date_start),
      date_end: moved(task.date_end),
    });
  }
}

/** The same day one interval later. */
function later(day: string, span: string, count: number): string {
  const months = { month: 1, year: 12 }[span];
  return months === undefined ? addDays(day, count * (span === 'week' ? 7 : 1)) : addMonths(day, months * count);
}
