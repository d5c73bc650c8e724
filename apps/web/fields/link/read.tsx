import type { FieldReadProps } from '../define-field.ts';
import { safeHref } from './safe-href.ts';

interface LinkProps {
  readonly text: string;
  readonly href: string | null;
  readonly isOutside?: boolean;
}

/** A link that a list row does not swallow. */
function Link({ text, href, isOutside = false }: LinkProps) {
  if (href === null) return <>{text}</>;
  return (
    <a
      className="field-link"
      href={href}
      {...(isOutside ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </a>
  );
}

export function EmailRead({ value }: FieldReadProps) {
  if (typeof value !== 'string' || value === '') return null;
  return <Link text={value} href={safeHref(`mailto:${encodeURIComponent(value).replace('%40', '@')}`)} />;
}

export function PhoneRead({ value }: FieldReadProps) {
  if (typeof value !== 'string' || value === '') return null;
  return <Link text={value} href={safeHref(`tel:${value.replace(/[^\d+*#]/g, '')}`)} />;
}

export function UrlRead({ value }: FieldReadProps) {
  if (typeof value !== 'string' || value === '') return null;
  return <Link text={value.replace(/^https?:\/\/(www\.)?/, '')} href={safeHref(value)} isOutside />;
}
