import { defineField, type FieldEditProps, type FieldReadProps, searchRead, t } from '@kontor/client';
import { useEffect, useState } from 'react';
import { ChooseName, type Named } from './choose-name.tsx';

/** A model, shown with its label. */
export const modelField = defineField({
  name: 'webhook_model',
  Read: ModelRead,
  Edit: ModelEdit,
  toText: ({ value }) => String(value ?? ''),
  width: 160,
});

let asked: Promise<readonly Named[]> | null = null;

/** Requested once per page; a failed request is repeated. */
function loadModels(): Promise<readonly Named[]> {
  asked ??= searchRead('sys.model', [], ['name', 'label'], { limit: 500, order: 'label' }).then(
    (rows) => rows.map(({ name, label }) => ({ name: String(name), title: String(label) })),
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
  return <span title={String(value ?? '')}>{known?.title ?? String(value ?? '')}</span>;
}

function ModelEdit(props: FieldEditProps) {
  const { value, isRequired, onChange, onCommit } = props;
  const models = useModels();
  const chosen = String(value ?? '');
  const isMissing = chosen !== '' && !models.some(({ name }) => name === chosen);
  return (
    <ChooseName
      of={props}
      value={chosen}
      empty={t('Choose…')}
      choices={isMissing ? [{ name: chosen, title: chosen }, ...models] : models}
      isRequired={isRequired}
      onChoose={(name) => {
        onChange(name === '' ? null : name);
        onCommit?.();
      }}
    />
  );
}
