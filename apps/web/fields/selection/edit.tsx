import '../styles.css';
import type { FieldEditProps } from '../define-field.ts';

export function SelectionEdit(props: FieldEditProps) {
  const { id, label, value, field, onChange, isRequired } = props;
  return (
    <select
      id={id}
      className="field-input"
      aria-label={label}
      aria-invalid={props.isInvalid || undefined}
      aria-required={isRequired || undefined}
      aria-describedby={props.describedBy}
      autoFocus={props.hasAutoFocus}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    >
      {(!isRequired || !value) && <option value="" />}
      {field.selection?.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}
