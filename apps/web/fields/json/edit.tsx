import { useState } from 'react';
import { typedJson, typedJsonText } from '../../data/form/typed-json.ts';
import { t } from '../../i18n/messages.ts';
import type { FieldEditProps } from '../define-field.ts';
import '../styles.css';
import './styles.css';

/** Text that is JSON becomes the value; until it is, a message says so, and the text itself is what is kept. */
export function JsonEdit(props: FieldEditProps) {
  const { id, label, value, onChange, isInvalid, describedBy } = props;
  const broken = typedJsonText(value);
  const [typed, setTyped] = useState<string | null>(null);
  const text = broken ?? typed ?? (value === null || value === undefined ? '' : JSON.stringify(value, null, 2));
  // The form says so itself once somebody tried to save it.
  const isBroken = broken !== null && !isInvalid;
  return (
    <>
      <textarea
        id={id}
        className="field-input json-input"
        spellCheck={false}
        aria-label={label}
        aria-invalid={isInvalid || isBroken || undefined}
        aria-describedby={isBroken ? `${id}-broken` : describedBy}
        value={text}
        onChange={(event) => {
          setTyped(event.target.value);
          const parsed = parse(event.target.value);
          onChange(parsed === undefined ? typedJson(event.target.value) : parsed);
        }}
        onBlur={() => setTyped(null)}
      />
      {isBroken && (
        <p id={`${id}-broken`} className="json-broken" role="alert">
          {t('This is not JSON yet, so it is not taken.')}
        </p>
      )}
    </>
  );
}

function parse(text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
