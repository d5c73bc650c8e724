import { useEffect, useState } from 'react';
import { read } from '../data/rpc.ts';
import type { FieldReadProps } from './define-field.ts';

export function referenceText({ value }: FieldReadProps): string {
  return typeof value === 'string' ? value : '';
}

export function ReferenceRead({ value, place }: FieldReadProps) {
  const name = useReferenceName(value);
  const reference = parseReference(value);
  if (!reference || place !== 'form') return <>{name}</>;
  const query = new URLSearchParams({ model: reference.model, view_type: 'form', id: String(reference.id) });
  return (
    <a className="accent underlines field-link" href={`/web?${query}`}>
      {name}
    </a>
  );
}

interface Reference {
  readonly model: string;
  readonly id: number;
}

/** Parses `sale.order,7` from the wire. */
export function parseReference(value: unknown): Reference | null {
  const match = typeof value === 'string' ? /^([a-z0-9_.]+),(\d+)$/.exec(value) : null;
  return match ? { model: match[1] as string, id: Number(match[2]) } : null;
}

const known = new Map<string, string>();

/** The name of the referenced record, loaded once. */
export function useReferenceName(value: unknown): string {
  const key = typeof value === 'string' ? value : '';
  const [name, setName] = useState(known.get(key) ?? key);
  useEffect(() => {
    const reference = parseReference(key);
    if (!reference) return setName('');
    if (known.has(key)) return setName(known.get(key) as string);
    setName(key);
    read(reference.model, [reference.id], ['display_name']).then(
      ([record]) => {
        known.set(key, String(record?.display_name ?? key));
        setName(known.get(key) as string);
      },
      () => {},
    );
  }, [key]);
  return name;
}
