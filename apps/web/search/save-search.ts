import type { SavedSearch, WorkspacePayload } from '@kontor/protocol';
import { deleteRecords, sendChange } from '../data/changes.ts';
import { showToast } from '../data/toasts.ts';
import { expireModel } from '../data/workspace-cache.ts';
import { t } from '../i18n/messages.ts';
import { type SearchState, searchQuery } from './search-state.ts';

const model = 'sys.saved.search';

export interface SearchToKeep {
  readonly name: string;
  readonly isShared: boolean;
  readonly isDefault: boolean;
}

/** Keeps what is looked for now under a name; an own search of that name is replaced. */
export async function saveSearch(workspace: WorkspacePayload, search: SearchState, kept: SearchToKeep): Promise<void> {
  const { arch } = workspace;
  const name = kept.name.trim();
  const values = {
    query: searchQuery(search),
    is_shared: kept.isShared,
    is_default: kept.isDefault,
  };
  const same = arch.search.saved.find((saved) => saved.isMine && saved.name === name);
  if (same) await sendChange({ model, method: 'write', args: [[same.id], values] });
  else {
    const action = arch.key === undefined || arch.key === workspace.model ? '' : arch.key;
    await sendChange({ model, method: 'create', args: [{ name, model: workspace.model, action, ...values }] });
  }
  expireModel(workspace.model);
  showToast({ kind: 'success', title: t('Saved the search {name}', { name }) });
}

export async function deleteSearch(workspace: WorkspacePayload, { id, name }: SavedSearch): Promise<void> {
  await deleteRecords({ model, ids: [id], done: t('Deleted the search {name}', { name }) });
  expireModel(workspace.model);
}
