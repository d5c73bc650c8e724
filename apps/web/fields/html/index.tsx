import { useMemo } from 'react';
import { lazyComponent } from '../../state/lazy.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import { TextEdit } from '../text.tsx';
import { htmlText, sanitiseHtml } from './sanitise-html.ts';
import './styles.css';

export const htmlField = defineField({
  name: 'html',
  Read: HtmlRead,
  Edit: HtmlEdit,
  toText: htmlFieldText,
  width: 260,
  layout: 'stacked',
});

function htmlFieldText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? htmlText(value) : '';
}

function HtmlRead(props: FieldReadProps) {
  const { value, place } = props;
  const html = useMemo(() => (typeof value === 'string' ? sanitiseHtml(value) : ''), [value]);
  if (place !== 'form') return <>{htmlFieldText(props)}</>;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned in the line above, and on the server.
  return <div className="html" dangerouslySetInnerHTML={{ __html: html }} />;
}

const { Component: Editor } = lazyComponent<FieldEditProps>(
  async () => (await import('./editor.tsx')).HtmlEditor,
  <Skeleton width="50%" />,
);

function HtmlEdit(props: FieldEditProps) {
  return props.place === 'form' ? <Editor {...props} /> : <TextEdit {...props} />;
}
