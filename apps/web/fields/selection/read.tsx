import type { FieldReadProps } from '../define-field.ts';

export function SelectionRead(props: FieldReadProps) {
  return <>{selectionText(props)}</>;
}

export function selectionText({ value, field }: FieldReadProps): string {
  if (value === null || value === undefined) return '';
  return field.selection?.find(([key]) => key === value)?.[1] ?? String(value);
}
