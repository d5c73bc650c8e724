import { type ArchField, type Entry, fieldType, type RecordValues, type Shade, type Values } from '../../door/index.ts';

/** A group that bars lie in, with those around it: the values that its bars have. */
export interface Lane {
  readonly key: string;
  readonly values: readonly LaneValue[];
}

interface LaneValue {
  /** Null where rows are by something that no hand can set, such as a month. */
  readonly field: ArchField | null;
  readonly shade: Shade;
}

/** What a bar must be written to lie in another group. */
export interface LaneMove {
  readonly lane: Lane;
  readonly values: Values;
  readonly shown: Values;
  readonly label: string;
}

export const outside: Lane = { key: '', values: [] };

export function laneInside({ key, values }: Lane, field: ArchField | undefined, shade: Shade): Lane {
  return { key: `${key}/${shade.key}`, values: [...values, { field: field ?? null, shade }] };
}

/** Null where it lies there already, or its value may not be changed. */
export function laneMove(entry: Entry, from: Lane, to: Lane): LaneMove | null {
  const changed = to.values.flatMap((wanted, depth) => {
    const now = from.values[depth];
    return now && now.shade.key !== wanted.shade.key ? [{ now, wanted }] : [];
  });
  if (changed.length === 0 || !changed.every(({ wanted }) => isSettable(wanted.field))) return null;
  const parts = changed.map(({ now, wanted }) => written(entry, wanted.field as ArchField, now.shade, wanted.shade));
  return {
    lane: to,
    values: Object.assign({}, ...parts.map(({ values }) => values)),
    shown: Object.assign({}, ...parts.map(({ shown }) => shown)),
    label: changed.map(({ wanted }) => wanted.shade.label).join(' · '),
  };
}

function isSettable(field: ArchField | null): boolean {
  if (!field || field.readonly) return false;
  const { isToOne, isLinks, isChoice } = fieldType(field.type);
  return isToOne || isLinks || isChoice;
}

function written(entry: Entry, { name, type }: ArchField, now: Shade, wanted: Shade) {
  const { isLinks, isToOne } = fieldType(type);
  if (!isLinks) {
    const value = wanted.key === '' ? null : isToOne ? Number(wanted.key) : wanted.key;
    const shown = isToOne ? { [`${name}.display_name`]: value === null ? null : wanted.label } : {};
    return { values: { [name]: value }, shown };
  }
  // The one whose group it leaves is replaced; the others who work on it stay.
  const rows = (entry.record[name] ?? []) as readonly RecordValues[];
  const kept = rows.filter(({ id }) => String(id) !== now.key && String(id) !== wanted.key);
  const added = wanted.key === '' ? [] : [{ id: Number(wanted.key), display_name: wanted.label }];
  const commands = [
    ...(now.key === '' ? [] : [['unlink', Number(now.key)]]),
    ...(wanted.key === '' ? [] : [['link', Number(wanted.key)]]),
  ];
  return { values: { [name]: commands }, shown: { [name]: [...added, ...kept] } };
}

/** The groups that are drawn. */
export interface Lanes {
  readonly byKey: ReadonlyMap<string, Lane>;
  /** The innermost ones, from top to bottom. */
  readonly inner: readonly Lane[];
}

interface LaneRow {
  readonly kind: 'group' | 'bar';
  readonly lane: Lane;
}

export function lanesOf(rows: readonly LaneRow[], depth: number): Lanes {
  const groups = rows.flatMap((row) => (row.kind === 'group' ? [row.lane] : []));
  return {
    byKey: new Map(groups.map((lane) => [lane.key, lane])),
    inner: groups.filter(({ values }) => values.length === depth),
  };
}
