import type { WorkspacePayload } from '@kontor/protocol';
import { opensNewFields } from '../../data/add-field.ts';
import { t } from '../../i18n/messages.ts';
import { navigate } from '../../navigation/router.ts';
import { whileBusy } from '../../state/idle.ts';
import { mayCustomise } from '../../state/may-customise.ts';
import type { MenuEntry } from '../../ui/menu.tsx';

/** The dialog that changes a form for everybody, in its own chunk. */
export const loadCustomise = async () => (await import('./dialog.tsx')).CustomiseDialog;

opensNewFields(
  (missing) => void whileBusy(import('./open-new-field.tsx').then(({ openNewField }) => openNewField(missing))),
);

/** Opens the editor of a screen, which is in its own chunk. */
export const editScreen = (workspace: WorkspacePayload) =>
  void whileBusy(import('./editor/open-editor.tsx').then(({ openEditor }) => openEditor(workspace)));

/** Opens the picture of the states of a model, which is in its own chunk. */
export const editStates = (model: string) =>
  void whileBusy(import('./states/open-states.tsx').then(({ openStates }) => openStates(model)));

/** Opens the screen with the rights on a model, and on one of its records. */
export const openRights = (model: string, id = 0) =>
  void navigate(`/web/settings/rights${model && `?model=${model}`}${id > 0 ? `&id=${id}` : ''}`);

/** The entries of the menu of a screen, and of a record, with which its model is customised. */
export function customiseEntries(
  workspace: WorkspacePayload,
  customise: () => void,
  id?: number,
): readonly MenuEntry[] {
  const { arch, model } = workspace;
  const may = mayCustomise(arch);
  const entries: MenuEntry[] = [];
  if (may.screens) {
    entries.push({ key: 'edit', label: t('Edit this screen …'), icon: 'pencil', run: () => editScreen(workspace) });
  }
  if (may.screens && id !== undefined) {
    const states = () => editStates(model);
    entries.push({ key: 'states', label: t('States and moves …'), icon: 'arrow-right', run: states });
  }
  if (may.rights) {
    entries.push({ key: 'rights', label: t('Rights …'), icon: 'lock', run: () => openRights(model, id) });
  }
  if (may.fields) {
    entries.push({ key: 'customise', label: t('Customise …'), icon: 'sliders-horizontal', run: customise });
  }
  return entries;
}
