import { recall } from '../../data/records.ts';
import { t } from '../../i18n/messages.ts';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuEntry } from '../../ui/menu.tsx';
import { recordHref } from '../open-record.ts';
import { useList } from './list-context.ts';
import { archiveRecords, copyRecord, removeRecords } from './record-actions.ts';

/** What can be done with one row. */
export function RowMenu({ id, name }: { readonly id: number; readonly name: string }) {
  const { workspace, search, actions } = useList();
  const { arch, model } = workspace;
  const isArchived = recall(model, id)?.active === false;
  const entries: readonly MenuEntry[] = [
    { key: 'open', label: t('Open'), icon: 'file-text', run: () => actions.open(id) },
    {
      key: 'tab',
      label: t('Open in a new tab'),
      icon: 'external-link',
      run: () => window.open(recordHref(search, workspace, id), '_blank', 'noopener'),
    },
    ...(arch.rights.create
      ? [{ key: 'copy', label: t('Duplicate'), icon: 'copy' as const, run: () => copyRecord(model, id) }]
      : []),
    ...(arch.hasActive && arch.rights.write
      ? [
          {
            key: 'archive',
            label: isArchived ? t('Restore') : t('Archive'),
            icon: isArchived ? ('archive-restore' as const) : ('archive' as const),
            run: () => archiveRecords(workspace, [id], isArchived),
          },
        ]
      : []),
    ...(arch.rights.unlink && arch.list?.delete !== false
      ? [
          {
            key: 'delete',
            label: t('Delete'),
            icon: 'trash-2' as const,
            isDanger: true,
            section: '',
            run: () => removeRecords(workspace, [id]),
          },
        ]
      : []),
  ];
  return (
    <Menu
      label={name}
      align="end"
      entries={entries}
      trigger={(props) => (
        <IconButton
          className="list-more"
          icon="ellipsis"
          label={t('Actions for {name}', { name })}
          tabIndex={-1}
          {...props}
        />
      )}
    />
  );
}
