import type { SavedSearch, WorkspacePayload } from '@kontor/protocol';
import { useId, useState } from 'react';
import { deleteRecords, sendChange, showError } from '../data/changes.ts';
import { toClientError } from '../data/client-error.ts';
import { showToast } from '../data/toasts.ts';
import { expireModel } from '../data/workspace-cache.ts';
import { t } from '../i18n/messages.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { withMeasures, withSaved } from './effective-search.ts';
import { type SearchState, searchQuery } from './search-state.ts';

interface SavedSectionProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly onChange: (change: Partial<SearchState>) => void;
  readonly onClose: () => void;
}

/** Saved searches: the user's own and those that others share. */
export function SavedSection({ workspace, search, onChange, onClose }: SavedSectionProps) {
  const [isSaving, setSaving] = useState(false);
  const { saved } = workspace.arch.search;
  const now = searchQuery(withMeasures(workspace, search));
  return (
    <section aria-label={t('Saved searches of this screen')}>
      <h2 className="tiny dim spaced pad-y-1h pad-x-2h">{t('Saved searches')}</h2>
      {saved.map((one) => {
        const found = withSaved(search, one);
        const isChosen = searchQuery(withMeasures(workspace, found)) === now;
        return (
          <div key={one.id} className="row gap-0 filters-saved">
            <button
              type="button"
              className="menu-item grow"
              aria-pressed={isChosen}
              onClick={() => {
                onClose();
                onChange(found);
              }}
            >
              <Icon name="check" size={14} className={isChosen ? '' : 'is-hidden'} />
              {one.name}
              <span className="menu-item-end">{savedHint(one)}</span>
            </button>
            {one.isMine && (
              <IconButton
                icon="trash-2"
                size={14}
                label={t('Delete search {name}', { name: one.name })}
                onClick={() => deleteSearch(workspace, one).catch(showError)}
              />
            )}
          </div>
        );
      })}
      {saved.length > 0 && <div className="menu-line" />}
      {isSaving ? (
        <SaveForm workspace={workspace} search={search} onDone={() => setSaving(false)} />
      ) : (
        <button type="button" className="menu-item" onClick={() => setSaving(true)}>
          <Icon name="star" size={14} />
          {t('Save this search …')}
        </button>
      )}
    </section>
  );
}

function savedHint({ isDefault, isShared }: { readonly isDefault: boolean; readonly isShared: boolean }): string {
  if (isDefault) return t('default');
  return isShared ? t('shared') : '';
}

interface SaveFormProps {
  readonly workspace: WorkspacePayload;
  /** The effective search. */
  readonly search: SearchState;
  readonly onDone: () => void;
}

/** Asks for a name for the current search, and who can see it. */
function SaveForm({ workspace, search, onDone }: SaveFormProps) {
  const [kept, setKept] = useState({ name: '', isShared: false, isDefault: false });
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const save = async () => {
    if (kept.name.trim() === '') return setProblem(t('Enter a name for the search.'));
    try {
      await saveSearch(workspace, search, kept);
      onDone();
    } catch (error) {
      const { message, fields } = toClientError(error);
      setProblem(Object.values(fields)[0]?.[0] ?? message);
    }
  };
  const tick = (key: 'isShared' | 'isDefault', label: string) => (
    <label className="row pointer least-24">
      <input
        type="checkbox"
        className="box"
        checked={kept[key]}
        onChange={(event) => setKept({ ...kept, [key]: event.target.checked })}
      />
      {label}
    </label>
  );
  return (
    <form
      className="column gap-2 pad-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        className="input"
        aria-label={t('Name of the search')}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : id}
        placeholder={t('Name of the search')}
        autoComplete="off"
        autoFocus
        maxLength={200}
        value={kept.name}
        onChange={(event) => setKept({ ...kept, name: event.target.value })}
      />
      {tick('isDefault', t('Use as the default of this screen'))}
      {tick('isShared', t('Share with everyone'))}
      {problem !== null && (
        <p id={id} className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <Button kind="primary" type="submit">
        {t('Save')}
      </Button>
    </form>
  );
}

const model = 'sys.saved.search';

interface SearchToKeep {
  readonly name: string;
  readonly isShared: boolean;
  readonly isDefault: boolean;
}

/** Saves the current search under a name; the user's own search of that name is replaced. */
async function saveSearch(workspace: WorkspacePayload, search: SearchState, kept: SearchToKeep): Promise<void> {
  const { arch } = workspace;
  const name = kept.name.trim();
  const values = {
    query: searchQuery(withMeasures(workspace, search)),
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
  showToast({ kind: 'success', title: t('Search {name} saved', { name }) });
}

async function deleteSearch(workspace: WorkspacePayload, { id, name }: SavedSearch): Promise<void> {
  await deleteRecords({ model, ids: [id], done: t('Search {name} deleted', { name }) });
  expireModel(workspace.model);
}
