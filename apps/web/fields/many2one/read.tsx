import { Avatar } from '../../ui/parts.tsx';
import type { FieldReadProps } from '../define-field.ts';
import '../styles.css';

export function Many2oneRead(props: FieldReadProps) {
  const text = many2oneText(props);
  if (text === '' || props.field.relation !== 'core.user') return <>{text}</>;
  return (
    <span className="field-person">
      <Avatar name={text} size="s" />
      <span>{text}</span>
    </span>
  );
}

export function many2oneText({ value, record, field }: FieldReadProps): string {
  if (value === null || value === undefined || value === false) return '';
  const name = record[`${field.name}.display_name`];
  return typeof name === 'string' ? name : `#${String(value)}`;
}
