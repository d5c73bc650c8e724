import type { FieldReadProps } from '../define-field.ts';
import { many2oneText } from '../many2one/read.tsx';

export function SelectionRead(props: FieldReadProps) {
  return <>{selectionText(props)}</>;
}

export function selectionText(props: FieldReadProps): string {
  const { value, field } = props;
  if (field.relation) return many2oneText(props);
  if (value === null || value === undefined) return '';
  return field.selection?.find(([key]) => key === value)?.[1] ?? String(value);
}
