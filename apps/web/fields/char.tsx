import { announce } from '../data/toasts.ts';
import { t } from '../i18n/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { PlainRead, plainCell, plainText } from './plain.tsx';
import { TextControl } from './text-control.tsx';

export const charField = defineField({
  name: 'char',
  Read: PlainRead,
  cell: plainCell,
  Edit: CharEdit,
  toText: plainText,
  width: 200,
});

export const passwordField = defineField({
  name: 'password',
  Read: PasswordRead,
  Edit: PasswordEdit,
  toText: ({ value }) => (value ? '••••••' : ''),
  width: 120,
});

export const copyField = defineField({
  name: 'copy',
  Read: CopyRead,
  Edit: CharEdit,
  toText: plainText,
  width: 200,
});

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

function PasswordRead({ value }: FieldReadProps) {
  return <>{value ? '••••••' : ''}</>;
}

/** Write-only: the stored value is never sent to the client. */
function PasswordEdit(props: FieldEditProps) {
  return (
    <TextControl
      {...props}
      type="password"
      text={typeof props.value === 'string' ? props.value : ''}
      onText={(text) => props.onChange(text === '' ? null : text)}
    />
  );
}

function CopyRead(props: FieldReadProps) {
  const text = plainText(props);
  if (text === '') return null;
  return (
    <span className="field-person">
      <span>{text}</span>
      <IconButton
        icon="copy"
        size={14}
        label={t('Copy')}
        onClick={(event) => {
          event.stopPropagation();
          navigator.clipboard.writeText(text).then(
            () => announce(t('Copied')),
            () => {},
          );
        }}
      />
    </span>
  );
}
