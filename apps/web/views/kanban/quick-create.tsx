import { useId, useState } from 'react';
import {
  type ArchField,
  Button,
  expireModel,
  type FieldNode,
  offerUndo,
  openNew,
  QuickNameInput,
  type SearchState,
  sendChange,
  t,
  useQuickName,
  type Values,
  type WorkspacePayload,
  widgetOf,
} from '../../door/index.ts';
import type { BoardColumn } from './board.ts';

interface QuickCreateProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly column: BoardColumn;
  readonly onClose: () => void;
}

/** Creates a card in this column from a title, a few other fields and Enter; the form stays open for the next one. */
export function QuickCreate({ workspace, search, column, onClose }: QuickCreateProps) {
  const { arch } = workspace;
  const title = arch.kanban?.card.title.name ?? 'name';
  const field = arch.fields.find(({ name }) => name === title);
  const [given, setGiven] = useState<Given>(nothing);
  const quick = useQuickName(field, async (name) => {
    await createCard(workspace, column, { ...given.values, [title]: name }, t('Created {name}', { name }));
    setGiven(nothing);
  });
  const openForm = () =>
    openNew(search, workspace, { ...columnValues(workspace, column), ...given.values, [title]: quick.text.trim() });
  return (
    <form
      className="column panel gap-1 anchor clip shade kanban-card below-2 gap-2 kanban-quick"
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
      <QuickFields workspace={workspace} column={column} given={given} onChange={setGiven} />
      <div className="row wrap gap-1">
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

interface Given {
  readonly values: Values;
  /** Names of the chosen records. */
  readonly shown: Values;
}
const nothing: Given = { values: {}, shown: {} };

interface QuickFieldsProps {
  readonly workspace: WorkspacePayload;
  readonly column: BoardColumn;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

/** The other fields that the view asks for, except those that the screen or the column already sets. */
function QuickFields({ workspace, column, given, onChange }: QuickFieldsProps) {
  const { arch, defaults } = workspace;
  const known = { ...defaults, ...columnValues(workspace, column) };
  return (arch.kanban?.quickFields ?? []).map((node) => {
    const field = arch.fields.find(({ name }) => name === node.name);
    if (!field || Object.hasOwn(known, node.name)) return null;
    const set = (value: unknown, shown: Values = {}) =>
      onChange({ values: { ...given.values, [node.name]: value }, shown: { ...given.shown, ...shown } });
    return <QuickField key={node.name} {...{ workspace, node, field, given }} onChange={set} />;
  });
}

interface QuickFieldProps {
  readonly workspace: WorkspacePayload;
  readonly node: FieldNode;
  readonly field: ArchField;
  readonly given: Given;
  readonly onChange: (value: unknown, shown?: Values) => void;
}

function QuickField({ workspace, node, field, given, onChange }: QuickFieldProps) {
  const id = useId();
  const { Edit } = widgetOf(field, node.widget);
  if (!Edit) return null;
  const { label } = field;
  const record = { ...workspace.defaults, ...given.values, ...given.shown, id: 0 };
  return (
    <div className="stack gap-half anchor kanban-quick-field">
      <label className="tiny mut" htmlFor={id}>
        {label}
      </label>
      <Edit
        {...{ id, label, field, node, record, onChange }}
        model={workspace.model}
        value={given.values[field.name] ?? null}
        place="form"
        isRequired={field.required}
        isInvalid={false}
      />
    </div>
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
