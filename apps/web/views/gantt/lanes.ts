import { type ArchField, type Entry, fieldType, type RecordValues, type Shade, type Values } from '../../door/index.ts';

/** A group of bars, with the groups around it: the values that its bars share. */
export interface Lane {
  readonly key: string;
  readonly values: readonly LaneValue[];
}

interface LaneValue {
  /** Null if rows are grouped by something that dragging cannot set, such as a month. */
  readonly field: ArchField | null;
  readonly shade: Shade;
}

/** The values to write to move a bar to another group. */
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

/** Null if it is already there, or its value is read-only. */
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
  // Replaces the person whose row it leaves; the other assignees stay.
  const rows = (entry.record[name] ?? []) as readonly RecordValues[];
  const kept = rows.filter(({ id }) => String(id) !== now.key && String(id) !== wanted.key);
  const added = wanted.key === '' ? [] : [{ id: Number(wanted.key), display_name: wanted.label }];
  const commands = [
    ...(now.key === '' ? [] : [['unlink', Number(now.key)]]),
    ...(wanted.key === '' ? [] : [['link', Number(wanted.key)]]),
  ];
  return { values: { [name]: commands }, shown: { [name]: [...added, ...kept] } };
}

/** The groups that are shown. */
export interface Lanes {
  readonly byKey: ReadonlyMap<string, Lane>;
  /** The innermost groups, from top to bottom. */
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
