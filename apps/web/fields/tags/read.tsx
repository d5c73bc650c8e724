import { colourValue } from '../colour/palette.ts';
import type { FieldReadProps } from '../define-field.ts';
import { recordsOf } from './records-of.ts';
import './styles.css';

export function TagsRead({ value }: FieldReadProps) {
  return (
    <span className="tags">
      {recordsOf(value).map((record) => (
        <Tag key={record.id} name={String(record.display_name ?? '')} color={record.color} />
      ))}
    </span>
  );
}

interface TagProps {
  readonly name: string;
  readonly color: unknown;
  readonly children?: React.ReactNode;
}

export function Tag({ name, color, children }: TagProps) {
  const colour = colourValue(color);
  return (
    <span className="tag" style={colour ? ({ '--tag': colour } as React.CSSProperties) : undefined}>
      <span>{name}</span>
      {children}
    </span>
  );
}

export function tagsText({ value }: FieldReadProps): string {
  return recordsOf(value)
    .map((record) => String(record.display_name ?? `#${record.id}`))
    .join(', ');
}
