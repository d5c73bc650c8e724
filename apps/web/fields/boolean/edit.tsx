import type { FieldEditProps } from '../define-field.ts';
import '../../ui/parts.css';

export function BooleanEdit({ id, label, value, onChange, describedBy, hasAutoFocus }: FieldEditProps) {
  return (
    <input
      id={id}
      type="checkbox"
      className="box"
      aria-label={label}
      aria-describedby={describedBy}
      autoFocus={hasAutoFocus}
      checked={value === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
