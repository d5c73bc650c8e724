import { typedJsonText } from '../../data/form/typed-json.ts';
import type { FieldReadProps } from '../define-field.ts';
import './styles.css';

export function jsonText({ value }: FieldReadProps): string {
  return typedJsonText(value) ?? (value === null || value === undefined ? '' : JSON.stringify(value));
}

export function JsonRead(props: FieldReadProps) {
  const { value, place } = props;
  if (value === null || value === undefined) return null;
  if (place !== 'form') return <code className="json-line">{jsonText(props)}</code>;
  return <pre className="json-block">{typedJsonText(value) ?? JSON.stringify(value, null, 2)}</pre>;
}
