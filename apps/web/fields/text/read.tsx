import '../styles.css';
import type { FieldReadProps } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';

/** Lines stay lines where there is room for them. */
export function TextRead(props: FieldReadProps) {
  const text = plainText(props);
  return props.place === 'form' ? <span className="field-lines">{text}</span> : text;
}
