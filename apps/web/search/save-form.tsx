import type { WorkspacePayload } from '@kontor/protocol';
import { useId, useState } from 'react';
import { toClientError } from '../data/client-error.ts';
import { t } from '../i18n/messages.ts';
import { Button } from '../ui/button.tsx';
import { saveSearch } from './save-search.ts';
import type { SearchState } from './search-state.ts';

interface SaveFormProps {
  readonly workspace: WorkspacePayload;
  /** The one in effect. */
  readonly search: SearchState;
  readonly onDone: () => void;
}

/** A name for what is looked for now, and who gets it. */
export function SaveForm({ workspace, search, onDone }: SaveFormProps) {
  const [kept, setKept] = useState({ name: '', isShared: false, isDefault: false });
  const [problem, setProblem] = useState<string | null>(null);
  const id = useId();
  const save = async () => {
    if (kept.name.trim() === '') return setProblem(t('Give the search a name.'));
    try {
      await saveSearch(workspace, search, kept);
      onDone();
    } catch (error) {
      const { message, fields } = toClientError(error);
      setProblem(Object.values(fields)[0]?.[0] ?? message);
    }
  };
  const tick = (key: 'isShared' | 'isDefault', label: string) => (
    <label className="filters-tick">
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
      className="filters-save"
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
      {tick('isDefault', t('Open this screen with it'))}
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
