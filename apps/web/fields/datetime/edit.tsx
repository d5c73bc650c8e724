import { fromLocalInput, toLocalInput } from '../../i18n/local-time.ts';
import type { FieldEditProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';

export function DatetimeEdit(props: FieldEditProps) {
  const { value, onChange } = props;
  return (
    <TextControl
      {...props}
      type="datetime-local"
      text={typeof value === 'string' ? toLocalInput(value) : ''}
      onText={(text) => onChange(fromLocalInput(text))}
    />
  );
}
