import { lazyComponent } from '../../state/lazy.tsx';
import type { FieldEditProps } from '../define-field.ts';
import { TextEdit } from '../text/edit.tsx';

const { Component: Editor } = lazyComponent<FieldEditProps>(async () => (await import('./editor.tsx')).DomainEditor);

export function DomainEdit(props: FieldEditProps) {
  return props.place === 'form' ? <Editor {...props} /> : <TextEdit {...props} />;
}
