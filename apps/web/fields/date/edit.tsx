import type { FieldEditProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';

/** The platform's date input: its own keys, its own calendar, in the person's language. */
export function DateEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  return (
    <TextControl
      {...props}
      type="date"
      text={typeof value === 'string' ? value.slice(0, 10) : ''}
      onText={(text) => onChange(text === '' ? null : text)}
    />
  );
}
