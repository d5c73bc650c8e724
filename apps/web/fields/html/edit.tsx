import { lazyComponent } from '../../state/lazy.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { TextEdit } from '../text/edit.tsx';

const { Component: Editor } = lazyComponent<FieldEditProps>(
  async () => (await import('./editor.tsx')).HtmlEditor,
  <Skeleton width="50%" />,
);

export function HtmlEdit(props: FieldEditProps) {
  return props.place === 'form' ? <Editor {...props} /> : <TextEdit {...props} />;
}
