import type { FieldEditProps } from '../define-field.ts';
import './styles.css';

export function ToggleEdit({ id, label, value, onChange, onCommit, describedBy }: FieldEditProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      aria-checked={value === true}
      className="toggle"
      aria-label={label}
      aria-describedby={describedBy}
      checked={value === true}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => {
        onChange(event.target.checked);
        onCommit?.();
      }}
    />
  );
}
