import { Avatar } from '../../ui/parts.tsx';
import type { FieldReadProps } from '../define-field.ts';
import '../styles.css';

/** People have a face, or at least initials. */
export function Many2oneRead(props: FieldReadProps) {
  const text = many2oneText(props);
  const { field, place, value, node } = props;
  const isPerson = field.relation === 'core.user' || node.widget === 'many2one_avatar';
  const name =
    place === 'form' && text !== '' && field.relation && field.related?.read ? (
      <a
        className="field-link"
        href={`/web?${new URLSearchParams({ model: field.relation, view_type: 'form', id: String(value) })}`}
      >
        <bdi>{text}</bdi>
      </a>
    ) : (
      <bdi>{text}</bdi>
    );
  if (text === '' || !isPerson) return <>{name}</>;
  return (
    <span className="field-person">
      <Avatar name={text} size="s" />
      <span>{name}</span>
    </span>
  );
}

/** Empty while the name is on its way; the number where a rule hides it. */
export function many2oneText({ value, record, field }: FieldReadProps): string {
  if (value === null || value === undefined || value === false) return '';
  const name = record[`${field.name}.display_name`];
  if (typeof name === 'string') return name;
  return name === undefined ? '' : `#${String(value)}`;
}
