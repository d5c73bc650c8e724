import {
  type Arch,
  changeOf,
  type Figure,
  fieldType,
  formatDecimal,
  formatFigure,
  formatGroup,
  formatInteger,
  formatShare,
  type GroupRow,
  isAdditive,
  locale,
  type MeasureArch,
  t,
} from '../../door/index.ts';
import type { AxisNode, PivotTable } from './pivot-table.ts';
import type { Share } from './state.ts';

/** The label of a group, or of the total. */
export function nodeLabel(arch: Arch, groups: readonly string[], node: AxisNode): string {
  const group = groups[node.path.length - 1];
  if (group === undefined) return t('Total');
  const outer = groups[node.path.length - 2];
  const bucket = node.path.at(-1);
  // Below its quarter or year, a month needs no year.
  if (
    outer &&
    outer.split(':')[0] === group.split(':')[0] &&
    typeof bucket === 'string' &&
    /^\d{4}-\d\d$/.test(bucket)
  ) {
    return formatMonth(bucket);
  }
  return node.row ? formatGroup(arch, group, node.row) : String(bucket);
}

function formatMonth(bucket: string): string {
  const format = new Intl.DateTimeFormat(locale(), { month: 'long', timeZone: 'UTC' });
  return format.format(new Date(`${bucket}-01T00:00:00Z`));
}

export interface FigurePlace {
  readonly table: PivotTable;
  readonly row: AxisNode;
  readonly column: AxisNode;
}

export function valueAt({ table, row, column }: FigurePlace, { name }: MeasureArch): Figure {
  return table.figure(row, column)?.[name] as Figure;
}

/** A figure as a share of its row, its column or the grand total; null if there is none. */
export function shareAt(place: FigurePlace, measure: MeasureArch, share: Exclude<Share, 'value'>): number | null {
  if (!isAdditive(measure)) return null;
  const { table, row, column } = place;
  const whole = {
    row: { table, row, column: table.columns },
    column: { table, row: table.rows, column },
    all: { table, row: table.rows, column: table.columns },
  }[share];
  const [part, all] = [Number(valueAt(place, measure) ?? 0), Number(valueAt(whole, measure) ?? 0)];
  return all === 0 ? null : part / all;
}

/** Short enough for a table: no currency, and cents only for small amounts. The exact figure is a click away. */
export function shortFigure(arch: Arch, measure: MeasureArch, value: Figure, isSmall: boolean): string {
  if (value === null || value === undefined) return '';
  const isPlain = measure.measure === 'count' || measure.measure === 'count_distinct';
  const type = arch.fields.find(({ name }) => name === measure.field)?.type ?? 'char';
  if (isPlain || !fieldType(type).isNumber) return formatFigure(arch, measure, value);
  if (fieldType(type).isMoney) return isSmall ? formatDecimal(value, 2) : formatInteger(value);
  return formatFigure(arch, measure, value);
}

/** Whether the total is small enough for cents to matter. */
export function isSmallFigure(row: GroupRow | null, { name }: MeasureArch): boolean {
  return Math.abs(Number(row?.[name] ?? 0)) < 10_000;
}

export function figureText(arch: Arch, place: FigurePlace, measure: MeasureArch, share: Share): string {
  const figure = place.table.figure(place.row, place.column);
  if (!figure) return '';
  if (share !== 'value' && isAdditive(measure)) {
    const part = shareAt(place, measure, share);
    return part === null ? '' : formatShare(part);
  }
  return shortFigure(arch, measure, figure[measure.name] as Figure, isSmallFigure(place.table.rows.row, measure));
}

/** The two tables that a change compares: the period up to today, and the same days of the period before. */
export interface ComparedTables {
  readonly now: PivotTable;
  readonly before: PivotTable;
  /** These days in words. */
  readonly days: string;
}

/** The relative change; null if there was no value before. */
export function changeAt({ row, column }: FigurePlace, { now, before }: ComparedTables, { name }: MeasureArch) {
  const figure = (table: PivotTable) => Number(table.figure(row, column)?.[name] ?? 0);
  return changeOf(figure(now), figure(before));
}
