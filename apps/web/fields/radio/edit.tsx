import type { FieldEditProps } from '../define-field.ts';
import './styles.css';

export function RadioEdit({ id, label, field, value, onChange, onCommit, describedBy }: FieldEditProps) {
  return (
    <fieldset id={id} className="radios" aria-label={label} aria-describedby={describedBy}>
      {field.selection?.map(([key, text]) => (
        <label key={key} className="radio">
          <input
            type="radio"
            name={id}
            checked={value === key}
            onChange={() => {
              onChange(key);
              onCommit?.();
            }}
          />
          {text}
        </label>
      ))}
    </fieldset>
  );
}
