import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { many2oneText } from './many2one.tsx';
import { useOptions } from './relation/use-choices.ts';
import './styles.css';

export const selectionField = defineField({
  name: 'selection',
  Read: SelectionRead,
  cell: selectionText,
  Edit: SelectionEdit,
  toText: selectionText,
  width: 140,
});

export function SelectionRead(props: FieldReadProps) {
  return <>{selectionText(props)}</>;
}

export function selectionText(props: FieldReadProps): string {
  const { value, field } = props;
  if (field.relation) return many2oneText(props);
  if (value === null || value === undefined) return '';
  return field.selection?.find(([key]) => key === value)?.[1] ?? String(value);
}

export function SelectionEdit(props: FieldEditProps) {
  const { id, label, value, field, onChange, isRequired } = props;
  const options = useOptions(field, props.domain);
  const isKnown = options.some((option) => option.value === value);
  const choose = (key: string) => {
    const option = options.find((one) => String(one.value) === key);
    const shown = field.relation ? { [`${field.name}.display_name`]: option?.label ?? null } : {};
    onChange(option?.value ?? null, shown);
  };
  return (
    <select
      id={id}
      className="field-input"
      aria-label={label}
      aria-invalid={props.isInvalid || undefined}
      aria-required={isRequired || undefined}
      aria-describedby={props.describedBy}
      autoFocus={props.hasAutoFocus}
      value={value === null || value === undefined ? '' : String(value)}
      onChange={(event) => choose(event.target.value)}
    >
      {(!isRequired || !value) && <option value="" />}
      {!isKnown && value !== null && value !== undefined && (
        <option value={String(value)}>{field.relation ? many2oneText(props) : String(value)}</option>
      )}
      {options.map((option) => (
        <option key={option.value} value={String(option.value)}>
          {option.label}
        </option>
      ))}
    </select>
  );
}
