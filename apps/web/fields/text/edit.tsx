import '../styles.css';
import type { FieldEditProps } from '../define-field.ts';

export function TextEdit(props: FieldEditProps) {
  const { id, label, value, onChange, node, isInvalid } = props;
  return (
    <textarea
      id={id}
      className="field-input"
      rows={props.place === 'form' ? 3 : 1}
      aria-label={label}
      aria-invalid={isInvalid || undefined}
      aria-required={props.isRequired || undefined}
      aria-describedby={props.describedBy}
      placeholder={node.placeholder}
      autoFocus={props.hasAutoFocus}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
    />
  );
}
