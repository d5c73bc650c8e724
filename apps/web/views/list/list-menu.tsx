import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { useScreenCommands } from '../../navigation/screen-commands.ts';
import { type MenuEntry, MoreMenu } from '../../ui/menu.tsx';
import { useAddToBoard } from '../board/use-add-to-board.tsx';
import { openExport } from '../export/open-export.ts';
import type { Column } from '../table/columns.ts';
import { canImport, ImportDialog } from './importing.ts';
import type { Rows } from './rows.ts';

/** With the groups of a list that has them. */
export interface ListMenuProps extends Partial<Pick<Rows, 'groups' | 'toggleGroup'>> {
  readonly workspace: WorkspacePayload;
  readonly columns: readonly Column[];
}

const noGroups: Rows['groups'] = [];

/** What can be done with the list as a whole; the palette offers it too. */
export function ListMenu({ workspace, columns, groups, toggleGroup }: ListMenuProps) {
  const [isImporting, setImporting] = useState(false);
  const names = columns.map(({ name }) => name);
  const entries: MenuEntry[] = [
    { key: 'export', label: t('Export …'), icon: 'download', run: () => openExport(workspace, names) },
  ];
  if (canImport(workspace)) {
    entries.push({ key: 'import', label: t('Import …'), icon: 'upload', run: () => setImporting(true) });
  }
  const ofGroups = useGroupEntries(groups ?? noGroups, toggleGroup);
  if (groups && workspace.arch.groupBy?.length) entries.push(...ofGroups);
  const adding = useAddToBoard(workspace);
  if (workspace.arch.isTransient !== true) entries.push(adding.entry);
  useScreenCommands('list', entries);
  return (
    <>
      <MoreMenu entries={entries} />
      {adding.dialog}
      {isImporting && <ImportDialog workspace={workspace} names={names} onClose={() => setImporting(false)} />}
    </>
  );
}

/** So many groups are opened at a time, and so many at most: each is a question to the server. */
const openedAtOnce = 6;
const openedAtMost = 200;

/** Unfolds every group, level by level, or folds them. */
function useGroupEntries(groups: Rows['groups'], toggleGroup: ListMenuProps['toggleGroup']): readonly MenuEntry[] {
  const [isOpening, setOpening] = useState(false);
  useEffect(() => {
    if (!isOpening) return;
    const closed = groups.filter(({ isOpen }) => !isOpen);
    if (groups.some(({ isWaiting }) => isWaiting)) return;
    if (closed.length === 0 || groups.length - closed.length >= openedAtMost) return setOpening(false);
    for (const { key } of closed.slice(0, openedAtOnce)) toggleGroup?.(key);
  }, [groups, toggleGroup, isOpening]);
  const fold = () => {
    setOpening(false);
    for (const { key, isOpen } of groups) if (isOpen) toggleGroup?.(key);
  };
  return [
    { key: 'unfold', label: t('Expand all groups'), icon: 'chevron-down', run: () => setOpening(true) },
    { key: 'fold', label: t('Collapse all groups'), icon: 'chevron-right', run: fold },
  ];
}
