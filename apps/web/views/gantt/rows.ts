import {
  type ArchField,
  bucketOf,
  type Entry,
  type GroupRow as Figures,
  formatBucket,
  hoursKey,
  type Shade,
  shadesOf,
} from '../../door/index.ts';
import { type Lane, laneInside, outside } from './lanes.ts';

/** A group that can be folded, with everything in it. */
export interface GroupRow {
  readonly kind: 'group';
  readonly key: string;
  readonly depth: number;
  readonly shade: Shade;
  readonly entries: readonly Entry[];
  readonly start: number;
  readonly end: number;
  readonly isFolded: boolean;
  readonly lane: Lane;
  /** The number of entries and their hours, counted by the database; null until loaded. */
  readonly figures: GroupFigures | null;
}
interface GroupFigures {
  readonly count: number;
  readonly hours: number;
}
export interface BarRow {
  readonly kind: 'bar';
  readonly key: string;
  readonly depth: number;
  readonly entry: Entry;
  /** The group of the entry. */
  readonly lane: Lane;
}
export type GanttRow = GroupRow | BarRow;

interface RowSpec {
  readonly groupBy: readonly string[];
  readonly fields: readonly ArchField[];
  readonly folded: ReadonlySet<string>;
  readonly figures: ReadonlyMap<string, GroupFigures>;
}

/** The figures of each group, by the key of its lane. */
export function figuresOf(rows: readonly Figures[], groupBy: readonly string[]): RowSpec['figures'] {
  return new Map(
    rows.map((row) => {
      const values = groupBy.filter((term) => Object.hasOwn(row, term)).map((term) => row[term] ?? '');
      const key = values.map((value) => `/${value}`).join('');
      return [key, { count: row.__count, hours: Number(row[hoursKey] ?? 0) }];
    }),
  );
}

/** Groups and bars in display order. Groups are sorted by their first entry. */
export function toRows(entries: readonly Entry[], spec: RowSpec, depth = 0, around = outside): readonly GanttRow[] {
  const term = spec.groupBy[depth];
  if (term === undefined) {
    return entries.map((entry) => ({ kind: 'bar', key: `${around.key}#${entry.id}`, depth, entry, lane: around }));
  }
  const field = spec.fields.find(({ name }) => name === term);
  const groups = new Map<string, { readonly shade: Shade; readonly entries: Entry[] }>();
  for (const entry of entries) {
    // An entry with several assignees appears in the row of each.
    for (const shade of groupShades(entry, term, spec.fields)) {
      const group = groups.get(shade.key) ?? { shade, entries: [] };
      groups.set(shade.key, group);
      group.entries.push(entry);
    }
  }
  return [...groups.values()].sort(byName).flatMap(({ shade, entries: inside }) => {
    const lane = laneInside(around, field, shade);
    const { key } = lane;
    const isFolded = spec.folded.has(key);
    const start = inside.reduce((least, entry) => Math.min(least, entry.start), Number.POSITIVE_INFINITY);
    const end = inside.reduce((most, entry) => Math.max(most, entry.end), Number.NEGATIVE_INFINITY);
    const figures = spec.figures.get(key) ?? null;
    const group: GroupRow = { kind: 'group', key, depth, shade, entries: inside, start, end, isFolded, lane, figures };
    return isFolded ? [group] : [group, ...toRows(inside, spec, depth + 1, lane)];
  });
}

function byName(a: { readonly shade: Shade }, b: { readonly shade: Shade }): number {
  return Number(a.shade.key === '') - Number(b.shade.key === '') || a.shade.label.localeCompare(b.shade.label);
}

function groupShades({ record }: Entry, term: string, fields: readonly ArchField[]): readonly Shade[] {
  const [path = '', granularity] = term.split(':');
  if (granularity) {
    const bucket = bucketOf(record[path], granularity);
    const key = bucket === null || bucket === undefined ? '' : String(bucket);
    return key === '' ? shadesOf(record, undefined) : [{ key, label: formatBucket(key), colour: 'var(--c1)' }];
  }
  const field = fields.find(({ name }) => name === path);
  if (field) return shadesOf(record, field);
  const name = record[`${path}.display_name`] ?? record[path];
  return name === null || name === undefined
    ? shadesOf(record, undefined)
    : [{ key: String(record[path]), label: String(name), colour: 'var(--c1)' }];
}
