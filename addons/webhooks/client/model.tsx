import { defineField, type FieldEditProps, type FieldReadProps, searchRead, t } from '@kontor/client';
import { useEffect, useState } from 'react';

/** A model by its name, as people know it. */
export const modelField = defineField({
  name: 'webhook_model',
  Read: ModelRead,
  Edit: ModelEdit,
  toText: ({ value }) => String(value ?? ''),
  width: 160,
});

interface Known {
  readonly name: string;
  readonly label: string;
}

let asked: Promise<readonly Known[]> | null = null;

/** Asked for once a page; one that failed is asked for again. */
function loadModels(): Promise<readonly Known[]> {
  asked ??= searchRead('sys.model', [], ['name', 'label'], { limit: 500, order: 'label' }).then(
    (rows) => rows.map(({ name, label }) => ({ name: String(name), label: String(label) })),
    () => {
      asked = null;
      return [];
    },
  );
  return asked;
}

function useModels(): readonly Known[] {
  const [models, setModels] = useState<readonly Known[]>([]);
  useEffect(() => {
    let isShown = true;
    void loadModels().then((found) => isShown && setModels(found));
    return () => {
      isShown = false;
    };
  }, []);
  return models;
}

function ModelRead({ value }: FieldReadProps) {
  const known = useModels().find(({ name }) => name === value);
  return <span title={String(value ?? '')}>{known?.label ?? String(value ?? '')}</span>;
}

function ModelEdit({ id, label, value, isRequired, isInvalid, describedBy, onChange, onCommit }: FieldEditProps) {
  const models = useModels();
  const chosen = String(value ?? '');
  const isMissing = chosen !== '' && !models.some(({ name }) => name === chosen);
  return (
    <select
      className="input"
      id={id}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-describedby={describedBy}
      required={isRequired}
      value={chosen}
      onChange={(event) => {
        onChange(event.target.value === '' ? null : event.target.value);
        onCommit?.();
      }}
    >
      <option value="">{t('Choose…')}</option>
      {isMissing && <option value={chosen}>{chosen}</option>}
      {models.map(({ name, label: said }) => (
        <option key={name} value={name}>
          {said} ({name})
        </option>
      ))}
    </select>
  );
}
