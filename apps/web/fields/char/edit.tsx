import type { FieldEditProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';

export function CharEdit(props: FieldEditProps) {
  const { value, field, onChange } = props;
  return (
    <TextControl
      {...props}
      text={typeof value === 'string' ? value : ''}
      maxLength={field.size}
      onText={(text) => onChange(text === '' ? null : text)}
    />
  );
}
