import type { FieldEditProps } from '../define-field.ts';
import { JsonEdit } from '../json/edit.tsx';
import { TextEdit } from '../text/edit.tsx';
import './styles.css';

export function CodeEdit(props: FieldEditProps) {
  return <div className="code">{props.field.type === 'json' ? <JsonEdit {...props} /> : <TextEdit {...props} />}</div>;
}
