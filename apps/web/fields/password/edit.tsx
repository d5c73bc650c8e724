import type { FieldEditProps, FieldReadProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';

export function PasswordRead({ value }: FieldReadProps) {
  return <>{value ? '••••••' : ''}</>;
}

/** Write only: what is stored never comes back. */
export function PasswordEdit(props: FieldEditProps) {
  return (
    <TextControl
      {...props}
      type="password"
      text={typeof props.value === 'string' ? props.value : ''}
      onText={(text) => props.onChange(text === '' ? null : text)}
    />
  );
}
