import { useEffect, useState } from 'react';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import type { FieldEditProps } from '../define-field.ts';
import { Combobox } from '../relation/combobox.tsx';
import { nameOf, useChoices } from '../relation/use-choices.ts';
import { parseReference, useReferenceName } from './use-name.ts';

/** First the kind of record, then the record. */
export function ReferenceEdit(props: FieldEditProps) {
  const { value, onChange, label, field, node } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const [picked, setPicked] = useState('');
  const model = parseReference(value)?.model ?? picked;
  const models = useModels(field.selection ?? (node.options?.models as readonly string[] | undefined));
  const found = useChoices(model, typed, []);
  const name = useReferenceName(value);
  return (
    <span className="field-reference">
      <select
        className="field-input"
        aria-label={t('{label}: kind', { label })}
        value={model}
        onChange={(event) => {
          setPicked(event.target.value);
          onChange(null);
        }}
      >
        <option value="" />
        {models.map((one) => (
          <option key={String(one.name)} value={String(one.name)}>
            {String(one.label)}
          </option>
        ))}
      </select>
      <Combobox
        {...props}
        text={name}
        typed={typed}
        onTyped={setTyped}
        isCurrent={found.isCurrent}
        choices={found.records.map((one) => ({
          key: String(one.id),
          label: nameOf(one),
          run: () => onChange(`${model},${one.id}`),
        }))}
      />
    </span>
  );
}

/** Kinds of records by their names; all of them where the field names none. */
function useModels(wanted: readonly unknown[] | undefined): readonly RecordValues[] {
  const [models, setModels] = useState<readonly RecordValues[]>([]);
  const names = JSON.stringify(wanted?.map((one) => (Array.isArray(one) ? (one[0] as string) : one)) ?? null);
  useEffect(() => {
    const only = JSON.parse(names) as readonly string[] | null;
    searchRead('sys.model', only ? [['name', 'in', only]] : [], ['name', 'label'], { limit: 300, order: 'label' }).then(
      setModels,
      () => {},
    );
  }, [names]);
  return models;
}
