import type { OwnViewTypes } from '@kontor/kernel';
import { type Text, type Translate, text, type ViewTab } from '@kontor/protocol';
import { shownTypes } from './choose-view-type.ts';
import type { WindowAction } from './load-interface.ts';
import { placeParts, searchParts, workspaceHref } from './query-string.ts';
import type { WorkspaceQuery } from './workspace-query.ts';

const labels: Readonly<Record<string, Text>> = {
  list: text('List'),
  form: text('Form'),
  kanban: text('Kanban'),
  graph: text('Graph'),
  pivot: text('Pivot'),
  calendar: text('Calendar'),
  gantt: text('Gantt'),
  map: text('Map'),
  cohort: text('Cohort'),
};

/** One tab for each view of many records that the action has, and the one being looked at. */
export function viewTabs(
  { action, query, own }: { readonly action: WindowAction; readonly query: WorkspaceQuery; readonly own: OwnViewTypes },
  menuId: string,
  current: string,
  translate: Translate,
): readonly ViewTab[] {
  const modes = new Set([...shownTypes(action, own).filter((type) => type !== 'form'), current]);
  return [...modes].map((mode) => ({
    mode,
    label: translate(labels[mode] ?? own.get(mode)?.label ?? mode),
    href: workspaceHref([
      ...placeParts(action, menuId),
      ['view_type', mode],
      ['id', mode === 'form' ? query.id : null],
      ...searchParts(query),
    ]),
    active: mode === current,
  }));
}
