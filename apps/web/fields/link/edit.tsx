import type { FieldEditProps } from '../define-field.ts';
import { TextControl } from '../text-control.tsx';

function LinkEdit({ kind, ...props }: FieldEditProps & { readonly kind: 'email' | 'tel' | 'url' }) {
  return (
    <TextControl
      {...props}
      inputMode={kind}
      text={typeof props.value === 'string' ? props.value : ''}
      maxLength={props.field.size}
      onText={(text) => props.onChange(text === '' ? null : text)}
    />
  );
}

export const EmailEdit = (props: FieldEditProps) => <LinkEdit {...props} kind="email" />;
export const PhoneEdit = (props: FieldEditProps) => <LinkEdit {...props} kind="tel" />;
export const UrlEdit = (props: FieldEditProps) => <LinkEdit {...props} kind="url" />;
