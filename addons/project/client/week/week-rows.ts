export interface TimeEntry {
  readonly id: number;
  readonly date: string;
  readonly hours: number;
  readonly projectId: number;
  readonly project: string;
  readonly taskId: number | null;
  readonly task: string | null;
}

/** What time is logged on. */
export interface Work extends Pick<TimeEntry, 'projectId' | 'project' | 'taskId' | 'task'> {}

export interface WeekRow {
  readonly key: string;
  readonly work: Work;
  /** The entries of each of the seven days. */
  readonly days: readonly (readonly TimeEntry[])[];
}

export const keyOf = ({ projectId, taskId }: Pick<Work, 'projectId' | 'taskId'>) => `${projectId}/${taskId ?? ''}`;

/** A row for all that was worked on in the days or shortly before, or was added; by project and task. */
export function weekRows(
  days: readonly string[],
  entries: readonly TimeEntry[],
  added: readonly Work[],
): readonly WeekRow[] {
  const works = new Map<string, Work>();
  for (const { projectId, project, taskId, task } of [...entries, ...added]) {
    const work = { projectId, project, taskId, task };
    works.set(keyOf(work), work);
  }
  const rows = [...works].map(([key, work]) => ({
    ...{ key, work },
    days: days.map((day) => entries.filter((entry) => keyOf(entry) === key && entry.date === day)),
  }));
  const nameOf = ({ work }: WeekRow) => `${work.project}\n${work.task ?? ''}`;
  return rows.sort((a, b) => nameOf(a).localeCompare(nameOf(b)));
}

/** In hundredths of an hour, so that sums are exact. */
export function hoursOf(entries: readonly Pick<TimeEntry, 'hours'>[]): number {
  return entries.reduce((sum, { hours }) => sum + Math.round(hours * 100), 0) / 100;
}

export type CellChange =
  | { readonly does: 'create'; readonly hours: number }
  | { readonly does: 'write'; readonly id: number; readonly hours: number }
  | { readonly does: 'unlink'; readonly ids: readonly number[] }
  | { readonly does: 'refuse' };

/** What a cell needs to come to these hours: the last entry of the day takes the difference. Null: nothing. */
export function cellChange(entries: readonly TimeEntry[], hours: number): CellChange | null {
  const before = hoursOf(entries);
  if (hours === before) return null;
  if (hours < 0 || hours > 24) return { does: 'refuse' };
  if (hours === 0) return { does: 'unlink', ids: entries.map(({ id }) => id) };
  const last = entries.at(-1);
  if (!last) return { does: 'create', hours };
  const rest = Math.round((last.hours + hours - before) * 100) / 100;
  return rest > 0 ? { does: 'write', id: last.id, hours: rest } : { does: 'refuse' };
}
