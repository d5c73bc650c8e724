import { useMemo } from 'react';
import type { FieldReadProps } from '../define-field.ts';
import { sanitiseHtml } from './sanitise-html.ts';

/** Formatted text, as shown in a form. */
export function HtmlFormatted({ value }: FieldReadProps) {
  const html = useMemo(() => (typeof value === 'string' ? sanitiseHtml(value) : ''), [value]);
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned in the line above, and on the server.
  return <div className="html break" dangerouslySetInnerHTML={{ __html: html }} />;
}
