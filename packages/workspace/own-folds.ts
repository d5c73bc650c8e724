import type { KanbanArch } from '@kontor/protocol';
import type { WindowAction } from './load-interface.ts';
import type { UserSettings } from './load-user-settings.ts';

/** Columns that a person folded or opened; the others are as their stage says. */
export function ownFolds(settings: UserSettings, action: WindowAction, kanban: KanbanArch): KanbanArch {
  const choices = settings.values.get(`folds:${action.key}`);
  if (typeof choices !== 'object' || choices === null) return kanban;
  const chosen = choices as Readonly<Record<string, unknown>>;
  const columns = kanban.columns.map((column) => {
    const key = JSON.stringify([kanban.groupField, column.value]);
    const fold = Object.hasOwn(chosen, key) ? chosen[key] : undefined;
    return typeof fold === 'boolean' ? { ...column, fold } : column;
  });
  return { ...kanban, columns };
}
