import { useState } from 'react';
import {
  archiveRecords,
  copyRecord,
  crumbs,
  customiseEntries,
  dropDraft,
  expireModel,
  forget,
  hasFeature,
  IconButton,
  lazyComponent,
  loadCustomise,
  Menu,
  type MenuEntry,
  navigate,
  offerUndo,
  openExport,
  openRecord,
  refine,
  type SearchState,
  sendChange,
  showError,
  t,
  toHref,
  trailFromHere,
  useScreenCommands,
  useStorePart,
  valueIn,
} from '../../door/index.ts';
import { type OpenForm, useOpenForm } from './use-form.ts';

const { Component: CustomiseDialog } = lazyComponent(loadCustomise);

interface RecordMenuProps {
  readonly search: SearchState;
  /** Buttons of the view that do not fit into the toolbar. */
  readonly more: readonly MenuEntry[];
}

/** Actions on the whole record. */
export function RecordMenu({ search, more }: RecordMenuProps) {
  const open = useOpenForm();
  const { arch, model } = open.workspace;
  const id = useStorePart(open.form, (state) => state.id);
  const isActive = useStorePart(open.form, (state) => valueIn(state, 'active') !== false);
  const [isCustomising, setCustomising] = useState(false);
  const own: MenuEntry[] = [];
  if (arch.rights.create && arch.form?.create !== false) {
    const run = () => openRecord(search, open.workspace, 0);
    own.push({ key: 'new', label: t('New'), icon: 'plus', run });
  }
  if (id > 0 && arch.form?.duplicate) {
    own.push({ key: 'copy', label: t('Duplicate'), icon: 'copy', run: () => copyRecord(model, id) });
  }
  if (id > 0 && arch.hasActive && arch.rights.write) {
    own.push({
      key: 'archive',
      label: isActive ? t('Archive') : t('Restore'),
      icon: isActive ? 'archive' : 'archive-restore',
      run: () => archiveRecords(open.workspace, [id], !isActive),
    });
  }
  if (id > 0) {
    own.push({
      key: 'export',
      label: t('Export …'),
      icon: 'download',
      run: () => openExport(open.workspace, [], [id]),
    });
  }
  if (id > 0 && hasFeature('audit')) {
    own.push({ key: 'history', label: t('History'), icon: 'history', run: () => openHistory(model, id) });
  }
  own.push(...customiseEntries(open.workspace, () => setCustomising(true), id));
  if (id > 0 && arch.form?.delete && arch.rights.unlink) {
    own.push(deleteEntry(open, search));
  }
  const entries =
    more.length > 0 ? [...more, ...own.map((entry, at) => (at === 0 ? { ...entry, section: '' } : entry))] : own;
  useScreenCommands('record', entries);
  if (entries.length === 0) return null;
  return (
    <>
      <Menu
        label={t('Actions')}
        align="end"
        entries={entries}
        trigger={(props) => (
          <IconButton icon="ellipsis" label={more.length > 0 ? t('More') : t('Actions')} {...props} />
        )}
      />
      {isCustomising && <CustomiseDialog workspace={open.workspace} onClose={() => setCustomising(false)} />}
    </>
  );
}

function deleteEntry(open: OpenForm, search: SearchState): MenuEntry {
  const run = () => void removeRecord(open, search).catch(showError);
  return { key: 'delete', label: t('Delete'), icon: 'trash-2', isDanger: true, section: '', run };
}

/** Navigates before the record is deleted, so that the form does not load a deleted record. */
async function removeRecord(open: OpenForm, search: SearchState): Promise<void> {
  const { model, id } = open.form.get();
  const name = String(open.form.get().stored.display_name ?? '');
  const { changeSet } = await sendChange({ model, method: 'unlink', args: [[id]] });
  dropDraft(model, id);
  open.form.set((now) => ({ ...now, edits: {}, isTouched: false }));
  const back = crumbs.get().at(-2)?.href ?? toHref(refine(search, { viewType: '', recordId: 0 }));
  await navigate(back);
  forget(model, [id]);
  expireModel(model);
  offerUndo(t('Deleted {name}', { name }), model, changeSet);
}

/** Who changed the record, from the audit trail. */
function openHistory(model: string, id: number): void {
  const domain = JSON.stringify([
    ['model', '=', model],
    ['res_id', '=', id],
  ]);
  void navigate(`/web?${new URLSearchParams({ action: 'base.audit', domain })}`, { trail: trailFromHere() });
}
