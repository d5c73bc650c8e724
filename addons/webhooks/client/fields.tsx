import { Chip, defineField, type FieldEditProps, type FieldReadProps, searchRead, t } from '@kontor/client';
import { useEffect, useState } from 'react';
import { ChooseName, type Named } from './choose-name.tsx';
import './webhooks.css';

/** Fields of a model, as a list of names: `options='{"model": "model"}'` names the field that contains the model. */
export const fieldsField = defineField({
  name: 'webhook_fields',
  Read: FieldsRead,
  Edit: FieldsEdit,
  toText: ({ value }) => namesIn(value).join(', '),
});

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function modelOf({ record, node }: FieldReadProps): string {
  return String(record[String(node.options?.model)] ?? '');
}

function useFields(model: string): readonly Named[] {
  const [fields, setFields] = useState<readonly Named[]>([]);
  useEffect(() => {
    let isShown = true;
    if (model === '') setFields([]);
    else {
      searchRead('sys.field', [['model', '=', model]], ['name', 'title'], { limit: 500 }).then(
        (rows) => isShown && setFields(rows.map(toNamed).sort((a, b) => a.title.localeCompare(b.title))),
        () => {},
      );
    }
    return () => {
      isShown = false;
    };
  }, [model]);
  return fields;
}

function toNamed({ name, title }: Readonly<Record<string, unknown>>): Named {
  return { name: String(name), title: String(title) };
}

function titleOf(fields: readonly Named[], name: string): string {
  return fields.find((one) => one.name === name)?.title ?? name;
}

function FieldsRead(props: FieldReadProps) {
  const fields = useFields(modelOf(props));
  return (
    <span className="row wrap">
      {namesIn(props.value).map((name) => (
        <Chip key={name}>{titleOf(fields, name)}</Chip>
      ))}
    </span>
  );
}

function FieldsEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  const fields = useFields(modelOf(props));
  const chosen = namesIn(value);
  const set = (names: readonly string[]) => onChange(names.length === 0 ? null : names);
  return (
    <span className="row wrap">
      {chosen.map((name) => (
        <Chip
          key={name}
          removeLabel={t('Without {field}', { field: titleOf(fields, name) })}
          onRemove={() => set(chosen.filter((one) => one !== name))}
        >
          {titleOf(fields, name)}
        </Chip>
      ))}
      <ChooseName
        of={props}
        value=""
        empty={t('Add a field…')}
        choices={fields.filter(({ name }) => !chosen.includes(name))}
        onChoose={(name) => set([...chosen, name])}
      />
    </span>
  );
}
