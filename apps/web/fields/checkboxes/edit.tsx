import { useEffect, useState } from 'react';
import { withoutArchived } from '../../data/form/archivable.ts';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import type { FieldEditProps } from '../define-field.ts';
import { nameOf } from '../relation/use-choices.ts';
import { recordsOf } from '../tags/records-of.ts';
import './styles.css';

/** A box for every record there is. */
export function CheckboxesEdit({ id, label, field, value, domain, onChange, place, describedBy }: FieldEditProps) {
  const [all, setAll] = useState<readonly RecordValues[]>([]);
  const model = field.relation ?? '';
  const given = JSON.stringify(domain ?? field.domain ?? []);
  useEffect(() => {
    withoutArchived(model, JSON.parse(given))
      .then((asked) => searchRead(model, asked, ['display_name'], { limit: 200 }))
      .then(setAll, () => {});
  }, [model, given]);
  const chosen = recordsOf(value);
  const ids = new Set(chosen.map((one) => one.id));
  const shown = [...all, ...chosen.filter((one) => !all.some((other) => other.id === one.id))];
  const toggle = (record: RecordValues, isOn: boolean) => {
    const next = isOn ? [...chosen, record] : chosen.filter((one) => one.id !== record.id);
    if (place === 'list') onChange([['set', next.map((one) => one.id)]], { [field.name]: next });
    else onChange(next);
  };
  return (
    <fieldset id={id} className="checkboxes" aria-label={label} aria-describedby={describedBy}>
      {shown.map((record) => (
        <label key={record.id} className="checkboxes-one">
          <input
            type="checkbox"
            className="box"
            checked={ids.has(record.id)}
            onChange={(event) => toggle(record, event.target.checked)}
          />
          {nameOf(record)}
        </label>
      ))}
    </fieldset>
  );
}
