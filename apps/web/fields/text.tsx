import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { isolated, plainText } from './plain.tsx';
import './styles.css';

export const textField = defineField({
  name: 'text',
  Read: TextRead,
  Edit: TextEdit,
  toText: plainText,
  width: 260,
  layout: 'wide',
});

export const textareaField = defineField({ ...textField, name: 'textarea' });

/** Line breaks are kept in a form. */
function TextRead(props: FieldReadProps) {
  const text = plainText(props);
  if (props.place !== 'form') return isolated(text);
  return (
    <span className="field-lines" dir="auto">
      {text}
    </span>
  );
}

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
