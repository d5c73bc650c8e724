import { useRef } from 'react';
import {
  archiveRecords,
  copyRecord,
  holds,
  type MenuEntry,
  MenuList,
  Popover,
  recall,
  removeRecords,
  runOnSelection,
  t,
} from '../../door/index.ts';
import { useList } from './list-context.ts';

interface RowMenuProps {
  readonly id: number;
  /** The menu button of the row. */
  readonly anchor: HTMLElement;
  readonly onClose: () => void;
}

/** The actions of a row; all rows share one menu. */
export function RowMenu({ id, anchor, onClose }: RowMenuProps) {
  const place = useRef<HTMLElement>(anchor);
  place.current = anchor;
  const entries = useEntries(id);
  const done = () => {
    onClose();
    anchor.focus();
  };
  return (
    <Popover anchor={place} align="end" onClose={onClose}>
      <MenuList label={t('Actions')} entries={entries} onDone={done} />
    </Popover>
  );
}

function useEntries(id: number): readonly MenuEntry[] {
  const { workspace, actions } = useList();
  const { arch, model } = workspace;
  const isArchived = recall(model, id)?.active === false;
  const entries: MenuEntry[] = [
    { key: 'open', label: t('Open'), icon: 'file-text', run: () => actions.open(id) },
    {
      key: 'tab',
      label: t('Open in a new tab'),
      icon: 'external-link',
      run: () => actions.openTab(id),
    },
  ];
  const record = recall(model, id);
  for (const button of arch.list?.buttons ?? []) {
    if (record && holds(button.invisible, record, arch.fields)) continue;
    const { name, label, danger } = button;
    const run = () => runOnSelection(workspace, [id], button);
    entries.push({ key: `button-${name}`, label, isDanger: danger === true, run });
  }
  if (arch.rights.copy) {
    entries.push({ key: 'copy', label: t('Duplicate'), icon: 'copy', run: () => copyRecord(model, id) });
  }
  if (arch.hasActive && arch.rights.write) {
    entries.push({
      key: 'archive',
      label: isArchived ? t('Restore') : t('Archive'),
      icon: isArchived ? 'archive-restore' : 'archive',
      run: () => archiveRecords(workspace, [id], isArchived),
    });
  }
  if (arch.rights.unlink && arch.list?.delete !== false) {
    const run = () => removeRecords(workspace, [id]);
    entries.push({ key: 'delete', label: t('Delete'), icon: 'trash-2', isDanger: true, section: '', run });
  }
  return entries;
}
