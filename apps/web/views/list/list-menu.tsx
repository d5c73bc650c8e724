import type { WorkspacePayload } from '@kontor/protocol';
import { useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { useScreenCommands } from '../../navigation/screen-commands.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { useAddToBoard } from '../board/use-add-to-board.tsx';
import { openExport } from '../export/open-export.ts';
import type { Column } from './columns.ts';
import { ImportDialog } from './import-dialog.tsx';

interface ListMenuProps {
  readonly workspace: WorkspacePayload;
  readonly columns: readonly Column[];
}

/** What can be done with the list as a whole; the palette offers it too. */
export function ListMenu({ workspace, columns }: ListMenuProps) {
  const [isImporting, setImporting] = useState(false);
  const names = columns.map(({ name }) => name);
  const entries: MenuEntry[] = [
    { key: 'export', label: t('Export …'), icon: 'download', run: () => openExport(workspace, names) },
  ];
  if (columns.length > 0 && canImport(workspace)) {
    entries.push({ key: 'import', label: t('Import …'), icon: 'upload', run: () => setImporting(true) });
  }
  const adding = useAddToBoard(workspace);
  if (workspace.arch.isTransient !== true) entries.push(adding.entry);
  useScreenCommands('list', entries);
  return (
    <>
      <Menu
        entries={entries}
        label={t('More')}
        align="end"
        trigger={(props) => <IconButton icon="ellipsis" label={t('More')} {...props} />}
      />
      {adding.dialog}
      {isImporting && <ImportDialog workspace={workspace} columns={columns} onClose={() => setImporting(false)} />}
    </>
  );
}

function canImport({ arch }: WorkspacePayload): boolean {
  return arch.rights.create && arch.list?.create !== false && arch.isTransient !== true;
}
