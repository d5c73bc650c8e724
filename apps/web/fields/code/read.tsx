import type { FieldReadProps } from '../define-field.ts';
import { plainText } from '../plain/read.tsx';
import './styles.css';

export function CodeRead(props: FieldReadProps) {
  const text = plainText(props);
  if (text === '') return null;
  return props.place === 'form' ? <pre className="code-block">{text}</pre> : <code>{text}</code>;
}
