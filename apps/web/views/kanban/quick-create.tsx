import type { WorkspacePayload } from '@kontor/protocol';
import { useId, useRef, useState } from 'react';
import { offerUndo, sendChange } from '../../data/changes.ts';
import { toClientError } from '../../data/client-error.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import type { SearchState } from '../../search/search-state.ts';
import { Button } from '../../ui/button.tsx';
import { openNew } from '../open-new.ts';
import type { BoardColumn } from './board.ts';

interface QuickCreateProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly column: BoardColumn;
  readonly onClose: () => void;
}

/** A title and Enter make a card in this column; the field stays for the next one. */
export function QuickCreate({ workspace, search, column, onClose }: QuickCreateProps) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const { arch } = workspace;
  const title = arch.kanban?.card.title.name ?? 'name';
  const field = arch.fields.find(({ name }) => name === title);
  const save = async () => {
    const name = text.trim();
    if (name === '') return setProblem(t('{label} is required.', { label: field?.label ?? t('Name') }));
    setSaving(true);
    setProblem(null);
    try {
      await createCard(workspace, column, { [title]: name }, t('Created {name}', { name }));
      setText('');
    } catch (error) {
      const failure = toClientError(error);
      // The message of a field says more than the general one.
      setProblem(Object.values(failure.fields).flat()[0] ?? failure.message);
    }
    setSaving(false);
    input.current?.focus();
  };
  const openForm = () => openNew(search, workspace, { ...columnValues(workspace, column), [title]: text.trim() });
  return (
    <form
      className="kanban-card kanban-quick"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isSaving) void save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <input
        ref={input}
        className="input"
        aria-label={t('{label} of the new card', { label: field?.label ?? t('Name') })}
        aria-invalid={problem !== null || undefined}
        aria-describedby={problem === null ? undefined : problemId}
        placeholder={field?.label}
        autoComplete="off"
        autoFocus
        maxLength={field?.size}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {problem !== null && (
        <p id={problemId} className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <div className="kanban-quick-foot">
        <Button kind="primary" type="submit" disabled={isSaving}>
          {t('Add')}
        </Button>
        <Button kind="bare" onClick={openForm}>
          {t('Open the form')}
        </Button>
        <Button kind="bare" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </form>
  );
}

async function createCard(
  workspace: WorkspacePayload,
  column: BoardColumn,
  given: Readonly<Record<string, unknown>>,
  done: string,
): Promise<void> {
  const { model, defaults } = workspace;
  const values = { ...defaults, ...columnValues(workspace, column), ...given };
  const { changeSet } = await sendChange({ model, method: 'create', args: [values] });
  expireModel(model);
  offerUndo(done, model, changeSet);
}

export function columnValues({ arch }: WorkspacePayload, { value }: BoardColumn): Readonly<Record<string, unknown>> {
  const field = arch.kanban?.groupField ?? '';
  return field.includes(':') ? {} : { [field]: value };
}
