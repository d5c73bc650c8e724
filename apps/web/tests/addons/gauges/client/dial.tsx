import { defineField, type FieldEditProps, type FieldReadProps, formatInteger } from '@kontor/client';
import { useId } from 'react';
import './gauges.css';

export const dialField = defineField({
  name: 'dial',
  Read: Dial,
  Edit: DialEdit,
  toText: ({ value }) => formatInteger(Number(value)),
});

function Dial({ field, value }: FieldReadProps) {
  if (Number(value) < 0) throw new Error('A dial has no negative numbers.');
  return (
    <span className="gauges-dial" role="img" aria-label={`${field.label}: ${value}`}>
      {formatInteger(Number(value))}
    </span>
  );
}

function DialEdit({ id, label, value, node, onChange }: FieldEditProps) {
  const hint = useId();
  return (
    <span className="gauges-dial">
      <input
        id={id}
        type="range"
        aria-label={label}
        aria-describedby={hint}
        max={Number(node.options?.max ?? 100)}
        value={Number(value)}
        onChange={(event) => onChange(Number(event.target.value))}
      />
      <output id={hint}>{formatInteger(Number(value))}</output>
    </span>
  );
}
