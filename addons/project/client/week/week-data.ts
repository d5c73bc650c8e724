import { addDays, type Domain, searchRead, sendChange } from '@kontor/client';
import type { CellChange, TimeEntry, Work } from './week-rows.ts';

/** The seven days from the first one. */
export const daysOfWeek = (start: string) => Array.from({ length: 7 }, (_, at) => addDays(start, at));

const mostEntries = 500;

/** One's entries of the week and of the one before, of those that are searched for. */
export async function loadWeek({
  start,
  domain,
}: {
  readonly start: string;
  readonly domain: Domain;
}): Promise<readonly TimeEntry[]> {
  const rows = await searchRead(
    'project.time',
    [...domain, ['user_id', '=', '$uid'], ['date', '>=', addDays(start, -7)], ['date', '<', addDays(start, 7)]],
    ['date', 'hours', 'project_id', 'project_id.name', 'task_id', 'task_id.name'],
    { order: 'date, id', limit: mostEntries },
  );
  return rows.map((row) => ({
    ...{ id: row.id, date: String(row.date), hours: Number(row.hours), projectId: Number(row.project_id) },
    ...{ project: String(row['project_id.name'] ?? ''), taskId: row.task_id === null ? null : Number(row.task_id) },
    task: row['task_id.name'] === null ? null : String(row['task_id.name'] ?? ''),
  }));
}

/** The set of changes, for undo. */
export async function saveCell(work: Work, date: string, change: CellChange): Promise<number> {
  const model = 'project.time';
  switch (change.does) {
    case 'create': {
      const values = { project_id: work.projectId, task_id: work.taskId, date, hours: change.hours.toFixed(2) };
      return (await sendChange({ model, method: 'create', args: [values] })).changeSet;
    }
    case 'write': {
      const args = [[change.id], { hours: change.hours.toFixed(2) }];
      return (await sendChange({ model, method: 'write', args })).changeSet;
    }
    case 'unlink':
      return (await sendChange({ model, method: 'unlink', args: [change.ids] })).changeSet;
    default:
      return 0;
  }
}

const mostFound = 20;

/** Open tasks and projects that a text names. */
export async function findWork(text: string): Promise<readonly Work[]> {
  const named: Domain = text === '' ? [] : [['name', 'ilike', text]];
  const mine: Domain = text === '' ? [['assignee_ids', '=', '$uid']] : [];
  const [tasks, projects] = await Promise.all([
    searchRead(
      'project.task',
      [['project_id.state', '!=', 'closed'], ...mine, ...named],
      ['name', 'project_id', 'project_id.name'],
      { limit: mostFound },
    ),
    searchRead('project.project', [['state', '!=', 'closed'], ...named], ['name'], { limit: mostFound }),
  ]);
  return [
    ...tasks.map((task) => ({
      ...{ projectId: Number(task.project_id), project: String(task['project_id.name'] ?? '') },
      ...{ taskId: task.id, task: String(task.name) },
    })),
    ...projects.map(({ id, name }) => ({ projectId: id, project: String(name), taskId: null, task: null })),
  ];
}
