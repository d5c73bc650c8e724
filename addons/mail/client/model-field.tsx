import { defineField, type FieldEditProps, type FieldReadProps, searchRead, t } from '@kontor/client';
import { useEffect, useState } from 'react';

/** A model, shown and chosen by its label. */
export const modelField = defineField({
  name: 'mail_model',
  Read: ModelRead,
  Edit: ModelEdit,
  toText: ({ value }) => String(value ?? ''),
  width: 160,
});

interface Named {
  readonly name: string;
  readonly label: string;
}

let asked: Promise<readonly Named[]> | null = null;

/** Requested once per page; a failed request is repeated. */
function loadModels(): Promise<readonly Named[]> {
  asked ??= searchRead('sys.model', [], ['name', 'title'], { limit: 500 }).then(
    (rows) =>
      rows
        .map(({ name, title }) => ({ name: String(name), label: String(title) }))
        .sort((one, other) => one.label.localeCompare(other.label)),
    () => {
      asked = null;
      return [];
    },
  );
  return asked;
}

function useModels(): readonly Named[] {
  const [models, setModels] = useState<readonly Named[]>([]);
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

function ModelEdit({ id, label, value, isInvalid, isRequired, describedBy, onChange, onCommit }: FieldEditProps) {
  const models = useModels();
  const chosen = String(value ?? '');
  const isMissing = chosen !== '' && !models.some(({ name }) => name === chosen);
  const choices = isMissing ? [{ name: chosen, label: chosen }, ...models] : models;
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
      {choices.map(({ name, label: shown }) => (
        <option key={name} value={name}>
          {shown === name ? name : `${shown} (${name})`}
        </option>
      ))}
    </select>
  );
}
