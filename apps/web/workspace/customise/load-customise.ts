import type { WorkspacePayload } from '@kontor/protocol';
import { opensNewFields } from '../../data/add-field.ts';
import { navigate } from '../../navigation/router.ts';
import { whileBusy } from '../../state/idle.ts';

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
