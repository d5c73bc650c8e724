import { unmatchedName } from '../data/form/invalid-values.ts';
import { nameOnScreen } from '../data/records.ts';
import type { RecordValues } from '../data/rpc.ts';
import { Person } from '../ui/parts.tsx';
import { colourValue } from './colour.tsx';
import type { FieldReadProps } from './define-field.ts';
import './tags.css';

/** How many are shown in a list row, people as avatars only; the others are counted. */
const shownInList = { tags: 2, people: 3 };

export function TagsRead(props: FieldReadProps) {
  const records = recordsOf(props.value);
  const unmatched = unmatchedName(props.value);
  const isPerson = props.field.relation === 'core.user';
  const isRow = props.place === 'list';
  const most = isRow ? shownInList[isPerson ? 'people' : 'tags'] : records.length;
  return (
    <span
      className="inline-row wrap gap-1 shrink within tags"
      title={isRow && records.length > 1 ? tagsText(props) : undefined}
    >
      {records.slice(0, most).map((record) => (
        <Tag key={record.id} name={nameOnScreen(record.display_name)} color={record.color} isPerson={isPerson} />
      ))}
      {records.length > most && <span className="rigid small mut tags-more">{`+${records.length - most}`}</span>}
      {unmatched !== null && <bdi>{unmatched}</bdi>}
    </span>
  );
}

interface TagProps {
  readonly name: string;
  readonly color: unknown;
  /** Shown with an avatar. */
  readonly isPerson?: boolean;
  readonly children?: React.ReactNode;
}

export function Tag({ name, color, isPerson = false, children }: TagProps) {
  const colour = colourValue(color);
  return (
    <span
      className={
        isPerson
          ? 'inline-row small medium nowrap round within pad-x-2 tag tag-person'
          : 'inline-row small medium nowrap round within pad-x-2 tag'
      }
      style={colour ? ({ '--tag': colour } as React.CSSProperties) : undefined}
    >
      {isPerson ? <Person name={name} /> : <bdi className="dots">{name}</bdi>}
      {children}
    </span>
  );
}

export function tagsText({ value }: FieldReadProps): string {
  const names = recordsOf(value).map((record) => nameOnScreen(record.display_name));
  return [...names, unmatchedName(value)].filter((name) => name !== null).join(', ');
}

/** The records of a value: as sent by the server, as ids, or from the single command of a default. */
export function recordsOf(value: unknown): readonly RecordValues[] {
  if (!Array.isArray(value)) return [];
  const [first] = value as unknown[];
  if (Array.isArray(first) && first[0] === 'set') return recordsOf(first[1]);
  return (value as unknown[]).flatMap((item) => {
    if (typeof item === 'number') return [{ id: item }];
    return typeof item === 'object' && item !== null && 'id' in item ? [item as RecordValues] : [];
  });
}
