import type { FieldReadProps } from '../define-field.ts';
import { parseReference, useReferenceName } from './use-name.ts';

export function referenceText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? value : '';
}

export function ReferenceRead({ value, place }: FieldReadProps) {
  const name = useReferenceName(value);
  const reference = parseReference(value);
  if (!reference || place !== 'form') return <>{name}</>;
  const query = new URLSearchParams({ model: reference.model, view_type: 'form', id: String(reference.id) });
  return (
    <a className="field-link" href={`/web?${query}`}>
      {name}
    </a>
  );
}
