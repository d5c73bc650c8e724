import { ibanText } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { NamedIcon } from '../ui/icon.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from './define-field.ts';
import { plainText } from './plain.tsx';
import { safeHref } from './safe-href.ts';
import { TextControl } from './text-control.tsx';

export const emailField = defineField({
  name: 'email',
  Read: EmailRead,
  Edit: EmailEdit,
  toText: plainText,
  width: 200,
});
export const phoneField = defineField({
  name: 'phone',
  Read: PhoneRead,
  Edit: PhoneEdit,
  toText: plainText,
  width: 140,
});
export const urlField = defineField({
  name: 'url',
  Read: UrlRead,
  Edit: UrlEdit,
  toText: plainText,
  width: 200,
});

export const ibanField = defineField({
  name: 'iban',
  Read: IbanRead,
  cell: accountText,
  Edit: IbanEdit,
  toText: accountText,
  width: 230,
});

interface LinkProps {
  readonly text: string;
  readonly href: string | null;
  readonly isOutside?: boolean;
}

/** A link whose clicks the list row does not handle. */
function Link({ text, href, isOutside = false }: LinkProps) {
  if (href === null) return <>{text}</>;
  return (
    <a
      className="accent underlines field-link"
      href={href}
      {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </a>
  );
}

function EmailRead({ value }: FieldReadProps) {
  if (typeof value !== 'string' || value === '') return null;
  return <Link text={value} href={safeHref(`mailto:${encodeURIComponent(value).replace('%40', '@')}`)} />;
}

function PhoneRead({ value }: FieldReadProps) {
  if (typeof value !== 'string' || value === '') return null;
  return <Link text={value} href={phoneHref(value)} />;
}

function UrlRead({ value }: FieldReadProps) {
  if (typeof value !== 'string' || value === '') return null;
  return <Link text={value.replace(/^https?:\/\/(www\.)?/, '')} href={safeHref(value)} isOutside />;
}

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

function EmailEdit(props: FieldEditProps) {
  return <LinkEdit {...props} kind="email" />;
}

/** The number to edit, and beside it a link that dials it. */
function PhoneEdit(props: FieldEditProps) {
  const number = typeof props.value === 'string' ? props.value : '';
  const href = number === '' ? null : phoneHref(number);
  if (props.place !== 'form' || href === null) return <LinkEdit {...props} kind="tel" />;
  return (
    <span className="row shrink anchor full gap-0 reveals field-relation">
      <LinkEdit {...props} kind="tel" />
      <a
        className="icon-btn middle revealed field-open"
        href={href}
        tabIndex={-1}
        aria-label={t('Call {number}', { number })}
      >
        <NamedIcon name="phone" size={14} />
      </a>
    </span>
  );
}

function phoneHref(number: string): string | null {
  return safeHref(`tel:${number.replace(/[^\d+*#]/g, '')}`);
}

function UrlEdit(props: FieldEditProps) {
  return <LinkEdit {...props} kind="url" />;
}

function accountText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? ibanText(value) : '';
}

function IbanRead(props: FieldReadProps) {
  return <span className="num">{accountText(props)}</span>;
}

/** A valid IBAN is shown in groups, as it is printed. */
function IbanEdit(props: FieldEditProps) {
  return (
    <TextControl
      {...props}
      text={accountText(props)}
      maxLength={props.field.size}
      onText={(text) => props.onChange(text === '' ? null : text)}
    />
  );
}
