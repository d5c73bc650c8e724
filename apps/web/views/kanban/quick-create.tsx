import type { WorkspacePayload } from '@kontor/protocol';
import { offerUndo, sendChange } from '../../data/changes.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import type { SearchState } from '../../search/search-state.ts';
import { Button } from '../../ui/button.tsx';
import { openNew } from '../open-new.ts';
import { QuickNameInput, useQuickName } from '../quick-name.tsx';
import type { BoardColumn } from './board.ts';

interface QuickCreateProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly column: BoardColumn;
  readonly onClose: () => void;
}

/** A title and Enter make a card in this column; the field stays for the next one. */
export function QuickCreate({ workspace, search, column, onClose }: QuickCreateProps) {
  const { arch } = workspace;
  const title = arch.kanban?.card.title.name ?? 'name';
  const field = arch.fields.find(({ name }) => name === title);
  const quick = useQuickName(field, (name) =>
    createCard(workspace, column, { [title]: name }, t('Created {name}', { name })),
  );
  const openForm = () => openNew(search, workspace, { ...columnValues(workspace, column), [title]: quick.text.trim() });
  return (
    <form
      className="kanban-card kanban-quick"
      onSubmit={quick.onSubmit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <QuickNameInput
        name={quick}
        label={t('{label} of the new card', { label: field?.label ?? t('Name') })}
        hasFocus
      />
      <div className="kanban-quick-foot">
        <Button kind="primary" type="submit" disabled={quick.isSaving}>
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
