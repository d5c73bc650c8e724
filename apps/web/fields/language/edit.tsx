import { useEffect, useState } from 'react';
import { type RecordValues, searchRead } from '../../data/rpc.ts';
import type { FieldEditProps } from '../define-field.ts';
import { languageName } from './language-name.ts';
import '../styles.css';

/** One of the languages that are switched on. */
export function LanguageEdit({ id, label, value, onChange, ...rest }: FieldEditProps) {
  const [known, setKnown] = useState<readonly RecordValues[]>([]);
  useEffect(() => {
    searchRead('core.lang', [['active', '=', true]], ['code'], { order: 'name' }).then(setKnown, () => {});
  }, []);
  const chosen = typeof value === 'string' ? value : '';
  const codes = [...new Set([...(chosen ? [chosen] : []), ...known.map(({ code }) => String(code))])];
  return (
    <select
      id={id}
      className="field-input"
      aria-label={label}
      aria-invalid={rest.isInvalid || undefined}
      aria-required={rest.isRequired || undefined}
      aria-describedby={rest.describedBy}
      autoFocus={rest.hasAutoFocus}
      value={chosen}
      onChange={(event) => onChange(event.target.value || null)}
    >
      {(!rest.isRequired || chosen === '') && <option value="" />}
      {codes.map((code) => (
        <option key={code} value={code}>
          {languageName(code)}
        </option>
      ))}
    </select>
  );
}
