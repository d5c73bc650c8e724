import { lazyComponent } from '../../state/lazy.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import { defineField, type FieldEditProps, type FieldReadProps } from '../define-field.ts';
import { TextEdit } from '../text.tsx';
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

/** Plain text without markup. */
function htmlText(html: string): string {
  const page = new DOMParser().parseFromString(
    html.replace(/<(br|\/p|\/li|\/h\d|\/div)\b[^<>]*>/gi, '$& '),
    'text/html',
  );
  return (page.body.textContent ?? '').replace(/\s+/g, ' ').trim();
}

const { Component: Formatted } = lazyComponent<FieldReadProps>(async () => (await import('./read.tsx')).HtmlFormatted);

function HtmlRead(props: FieldReadProps) {
  return props.place === 'form' ? <Formatted {...props} /> : htmlFieldText(props);
}

const { Component: Editor } = lazyComponent<FieldEditProps>(
  async () => (await import('./editor.tsx')).HtmlEditor,
  <Skeleton width="50%" />,
);

function HtmlEdit(props: FieldEditProps) {
  return props.place === 'form' ? <Editor {...props} /> : <TextEdit {...props} />;
}
