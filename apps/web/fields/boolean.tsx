import { t } from '../i18n/messages.ts';
import { Icon } from '../ui/icon.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import '../ui/parts.css';
import './boolean.css';

export const booleanField = defineField({
  name: 'boolean',
  Read: BooleanRead,
  cell: BooleanRead,
  Edit: BooleanEdit,
  toText: ({ value }) => (value === true ? t('Yes') : t('No')),
  width: 80,
});

export const toggleField = defineField({ ...booleanField, name: 'toggle', Edit: ToggleEdit, isDirect: true });

function BooleanRead({ value }: FieldReadProps) {
  if (value !== true) return <span className="sr-only">{t('No')}</span>;
  return (
    <>
      <Icon name="check" />
      <span className="sr-only">{t('Yes')}</span>
    </>
  );
}

export function BooleanEdit({ id, label, value, onChange, describedBy, hasAutoFocus }: FieldEditProps) {
  return (
    <input
      id={id}
      type="checkbox"
      className="box"
      aria-label={label}
      aria-describedby={describedBy}
      autoFocus={hasAutoFocus}
      checked={value === true}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}

function ToggleEdit({ id, label, value, onChange, onCommit, describedBy }: FieldEditProps) {
  return (
    <input
      id={id}
      type="checkbox"
      role="switch"
      aria-checked={value === true}
      className="rigid anchor pointer toggle"
      aria-label={label}
      aria-describedby={describedBy}
      checked={value === true}
      onClick={(event) => event.stopPropagation()}
      onChange={(event) => {
        onChange(event.target.checked);
        onCommit?.();
      }}
    />
  );
}
