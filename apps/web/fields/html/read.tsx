import { useMemo } from 'react';
import type { FieldReadProps } from '../define-field.ts';
import { htmlText, sanitiseHtml } from './sanitise-html.ts';
import './styles.css';

export function htmlFieldText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? htmlText(value) : '';
}

export function HtmlRead(props: FieldReadProps) {
  const { value, place } = props;
  const html = useMemo(() => (typeof value === 'string' ? sanitiseHtml(value) : ''), [value]);
  if (place !== 'form') return <>{htmlFieldText(props)}</>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned in the line above, and on the server.
  return <div className="html" dangerouslySetInnerHTML={{ __html: html }} />;
}
