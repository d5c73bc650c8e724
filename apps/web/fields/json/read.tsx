import type { FieldReadProps } from '../define-field.ts';
import './styles.css';

export function jsonText({ value }: FieldReadProps): string {
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

export function JsonRead(props: FieldReadProps) {
  const { value, place } = props;
  if (value === null || value === undefined) return null;
  if (place !== 'form') return <code className="json-line">{jsonText(props)}</code>;
  return <pre className="json-block">{JSON.stringify(value, null, 2)}</pre>;
}
