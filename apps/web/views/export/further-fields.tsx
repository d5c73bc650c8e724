import { useId, useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FieldChoice } from './chosen-columns.tsx';

interface FurtherFieldsProps {
  readonly fields: readonly FieldChoice[];
  readonly onAdd: (name: string) => void;
}

/** Fields that are not in the file yet, to be found by name. Enter takes the first. */
export function FurtherFields({ fields, onAdd }: FurtherFieldsProps) {
  const [text, setText] = useState('');
  const id = useId();
  const wanted = text.trim().toLocaleLowerCase();
  const found = fields.filter(
    ({ name, label }) => label.toLocaleLowerCase().includes(wanted) || name.toLowerCase().includes(wanted),
  );
  return (
    <div className="export-further">
      <label className="sr-only" htmlFor={id}>
        {t('Find a field')}
      </label>
      <input
        id={id}
        type="search"
        className="input"
        autoComplete="off"
        placeholder={t('Find a field')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found;
          if (event.key !== 'Enter' || !first) return;
          event.preventDefault();
          onAdd(first.name);
          setText('');
        }}
      />
      <ul className="export-fields">
        {found.map(({ name, label }) => (
          <li key={name}>
            <button type="button" className="export-field" title={name} onClick={() => onAdd(name)}>
              <Icon name="plus" size={14} />
              {label}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="export-none">{t('No further fields')}</p>}
    </div>
  );
}
