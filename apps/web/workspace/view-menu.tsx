import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { t } from '../i18n/messages.ts';
import { useScreenCommands } from '../navigation/screen-commands.ts';
import type { SearchState } from '../search/search-state.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { type MenuEntry, MoreMenu } from '../ui/menu.tsx';
import { customiseEntries, loadCustomise } from './customise/load-customise.ts';
import { openExport } from './export/open-export.ts';
import { canImport, ImportDialog } from './importing.ts';
import { hasMixedMoney } from './money.ts';
import { useAddToBoard } from './use-add-to-board.tsx';

const { Component: CustomiseDialog } = lazyComponent(loadCustomise);

/** A visible group; a waiting one is open, but its content is not loaded yet. */
interface ShownGroup {
  readonly key: string;
  readonly isOpen: boolean;
  readonly isWaiting: boolean;
}

/** The props of `ViewMenu`. */
export interface ViewMenuProps {
  readonly workspace: WorkspacePayload;
  /** Offers to convert totals of several currencies. */
  readonly search?: SearchState;
  /** Visible fields, in order; empty: those of the view. */
  readonly columns: readonly { readonly name: string }[];
  /** For views with groups that can be opened. */
  readonly groups?: readonly ShownGroup[];
  readonly toggleGroup?: (key: string) => void;
}

const noGroups: readonly ShownGroup[] = [];

/** Actions on the view as a whole; also in the command palette. */
export function ViewMenu({ workspace, search, columns, groups, toggleGroup }: ViewMenuProps) {
  const [isImporting, setImporting] = useState(false);
  const [isCustomising, setCustomising] = useState(false);
  const names = columns.map(({ name }) => name);
  const entries: MenuEntry[] = [
    { key: 'export', label: t('Export …'), icon: 'download', run: () => openExport(workspace, names) },
  ];
  if (canImport(workspace)) {
    entries.push({ key: 'import', label: t('Import …'), icon: 'upload', run: () => setImporting(true) });
  }
  const ofGroups = useGroupEntries(groups ?? noGroups, toggleGroup);
  if (groups && workspace.arch.groupBy?.length) entries.push(...ofGroups);
  const { moneyIn } = workspace.arch;
  if (search && (moneyIn || hasMixedMoney(workspace))) {
    entries.push({
      key: 'convert',
      label: t('Totals in company currency'),
      isChecked: !!moneyIn,
      run: () => void import('./convert-totals.ts').then(({ convertTotals }) => convertTotals(workspace, search)),
    });
  }
  if (/list|kanban/.test(workspace.viewType)) entries.push(...customiseEntries(workspace, () => setCustomising(true)));
  const adding = useAddToBoard(workspace);
  if (workspace.arch.isTransient !== true) entries.push(adding.entry);
  useScreenCommands('list', entries);
  return (
    <>
      <MoreMenu entries={entries} />
      {adding.dialog}
      {isCustomising && <CustomiseDialog workspace={workspace} onClose={() => setCustomising(false)} />}
      {isImporting && <ImportDialog workspace={workspace} names={names} onClose={() => setImporting(false)} />}
    </>
  );
}

/** How many groups are opened at once, and at most: each is a request. */
const openedAtOnce = 6;
const openedAtMost = 200;

/** Expands all groups, level by level, or collapses them. */
function useGroupEntries(
  groups: readonly ShownGroup[],
  toggleGroup: ViewMenuProps['toggleGroup'],
): readonly MenuEntry[] {
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
