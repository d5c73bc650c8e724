import { useState } from 'react';
import {
  archiveRecords,
  Button,
  type ButtonNode,
  formatInteger,
  IconButton,
  lazyComponent,
  openExport,
  removeRecords,
  SelectionButtons,
  searchRead,
  showError,
  t,
  tn,
  whileBusy,
} from '../../door/index.ts';
import type { Column } from '../table/columns.ts';
import { useList } from './list-context.ts';
import type { Selection } from './use-selection.ts';

const { Component: BulkEdit } = lazyComponent(async () => (await import('./bulk-edit.tsx')).BulkEdit);
const maxSelected = 10_000;

/** Actions on the selected rows, in place of the toolbar. */
export function SelectionBar({
  selection,
  columns,
}: {
  readonly selection: Selection;
  readonly columns: readonly Column[];
}) {
  const { workspace } = useList();
  const [isEditing, setEditing] = useState(false);
  const { arch, listTotal } = workspace;
  const ids = [...selection.ids];
  const names = columns.map(({ name }) => name);
  const buttons: readonly ButtonNode[] = [...(arch.list?.buttons ?? []), ...arch.header.buttons];
  return (
    <div className="bar tinted list-selected" role="toolbar" aria-label={t('Selection')}>
      <h1 className="sr-only">{arch.title}</h1>
      <IconButton icon="x" label={t('Clear selection')} onClick={selection.clear} />
      <b role="status">{tn('{n} selected', '{n} selected', ids.length)}</b>
      {!selection.isAll && ids.length < listTotal && (
        <Button kind="bare" onClick={() => void selectAllMatching(workspace, selection)}>
          {t('Select all {n} that match', { n: formatInteger(Math.min(listTotal, maxSelected)) })}
        </Button>
      )}
      <div className="row push rigid bar-end">
        <SelectionButtons workspace={workspace} ids={ids} buttons={buttons} />
        {arch.rights.write && (
          <Button icon="pencil" onClick={() => setEditing(true)}>
            {t('Edit')}
          </Button>
        )}
        {arch.rights.write && arch.hasActive && (
          <Button
            icon="archive"
            onClick={() => {
              archiveRecords(workspace, ids);
              selection.clear();
            }}
          >
            {t('Archive')}
          </Button>
        )}
        <Button icon="download" onClick={() => openExport(workspace, names, selection.isAll ? [] : ids)}>
          {t('Export')}
        </Button>
        {arch.rights.unlink && arch.list?.delete !== false && (
          <Button
            icon="trash-2"
            onClick={() => {
              removeRecords(workspace, ids);
              selection.clear();
            }}
          >
            {t('Delete')}
          </Button>
        )}
      </div>
      {isEditing && <BulkEdit ids={ids} columns={columns} onClose={() => setEditing(false)} />}
    </div>
  );
}

/** Loads the ids page by page, up to the limit of one server call. */
async function selectAllMatching(
  workspace: ReturnType<typeof useList>['workspace'],
  selection: Selection,
): Promise<void> {
  const { model, arch, listTotal, listSort } = workspace;
  const order = listSort ? { order: listSort } : {};
  const ids: number[] = [];
  const fetchAll = async () => {
    while (ids.length < Math.min(listTotal, maxSelected)) {
      const found = await searchRead(model, arch.domain ?? [], ['id'], { limit: 500, offset: ids.length, ...order });
      ids.push(...found.map(({ id }) => id));
      if (found.length < 500) return;
    }
  };
  try {
    await whileBusy(fetchAll());
    selection.set(ids.slice(0, maxSelected), true);
  } catch (error) {
    showError(error);
  }
}
