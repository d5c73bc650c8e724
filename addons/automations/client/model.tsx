import { defineField, type FieldEditProps, type FieldReadProps, t } from '@kontor/client';
import { Choice } from './choice.tsx';
import { labelOf, useOptions } from './options.ts';

/** A model of records that can have automations, shown with its label. */
export const modelField = defineField({
  name: 'automation_model',
  Read: ModelRead,
  Edit: ModelEdit,
  toText: ({ value }) => String(value ?? ''),
  width: 160,
});

function ModelRead({ value }: FieldReadProps) {
  const { models } = useOptions('');
  return <span title={String(value ?? '')}>{labelOf(models, String(value ?? ''))}</span>;
}

function ModelEdit({ value, label, onChange, onCommit }: FieldEditProps) {
  const { models } = useOptions('');
  return (
    <Choice
      label={label}
      value={String(value ?? '')}
      choices={models.map(({ name, label: said }) => [name, said])}
      empty={t('Choose…')}
      onChoose={(name) => {
        onChange(name === '' ? null : name);
        onCommit?.();
      }}
    />
  );
}
