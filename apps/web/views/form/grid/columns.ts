import { useMemo } from 'react';
import {
  type Arch,
  type ArchField,
  type FieldNode,
  type FieldTypeTraits,
  fieldType,
  holds,
  type Line,
} from '../../../door/index.ts';
import { type Column, type Columns, useColumns } from '../../table/columns.ts';
import { labelWidth } from '../../table/label-width.ts';

/** Columns that share a cell: the first has the header, the others are below or beside it. */
export interface GridTrack {
  readonly columns: readonly [Column, ...Column[]];
  /** The index of its first column. */
  readonly at: number;
  /** A description is below the name that it describes. */
  readonly isStacked: boolean;
}

/** A column whose partner is hidden gets its own track. */
function gridTracks(columns: readonly Column[]): readonly GridTrack[] {
  const isPart = ({ node }: Column) => columns.some(({ name }) => name === node.cell);
  let at = 0;
  return columns
    .filter((column) => !isPart(column))
    .map((column) => {
      const parts = columns.filter(({ node }) => node.cell === column.name);
      const isStacked = parts.some(({ field }) => fieldType(field.type).isText);
      const track = { columns: [column, ...parts], at, isStacked } as const;
      at += track.columns.length;
      return track;
    });
}

/** Texts, and relations, which show a name. */
function isWords({ isText, isRelation, isReference }: FieldTypeTraits): boolean {
  return isText || isRelation || isReference;
}

/** Width of the buttons that open and delete a line, of each of its own, and of the menu of columns above them. */
const endWidth = 64;
const buttonWidth = 30;
const menuWidth = 34;

export interface GridLayout {
  /** Texts share the width that numbers, dates and choices leave. */
  readonly template: string;
  /**
   * Below this width the grid scrolls horizontally. All rows must use the same value, or their columns would not line
   * up.
   */
  readonly width: number;
}

interface GridEnds {
  readonly hasGrip: boolean;
  /** Whether lines can be opened and deleted by a button. */
  readonly isOpen: boolean;
  /** How many buttons of its own a line has. */
  readonly ends: number;
}

export function gridLayout(
  tracks: readonly GridTrack[],
  lines: readonly Line[],
  { hasGrip, isOpen, ends }: GridEnds,
): GridLayout {
  const end = Math.max((isOpen ? endWidth : 0) + ends * buttonWidth, menuWidth);
  const least = tracks.map((track, at) => leastWidth(track, at, lines));
  const widths = tracks.map(({ columns: [{ field, node, name }] }, at) =>
    node.width ? `${node.width}px` : `minmax(${least[at]}px, ${weightOf(field, name, at)}fr)`,
  );
  return {
    template: [...(hasGrip ? ['32px'] : []), ...widths, `${end}px`].join(' '),
    width: least.reduce((sum, width) => sum + width, end + (hasGrip ? 32 : 0)),
  };
}

function leastWidth({ columns, isStacked }: GridTrack, at: number, lines: readonly Line[]): number {
  const widths = columns.map((column, part) => {
    return column.node.width ?? Math.max(minWidth(column, at, part > 0), wholeWidth(column, lines));
  });
  return isStacked ? Math.max(...widths, 200) : widths.reduce((sum, width) => sum + width, 0);
}

const digit = 7.8;
/** Padding of a badge and of its cell. */
const badgePadding = 46;

/** Width of the longest value, for columns that are never truncated: numbers and badges. */
function wholeWidth(column: Column, lines: readonly Line[]): number {
  if (column.isEnd) return numberWidth(column, lines);
  if (!column.widget.isWhole) return 0;
  const longest = Math.max(0, ...lines.map((line) => textOf(column, line).length));
  return longest === 0 ? 0 : Math.ceil(longest * letter) + badgePadding;
}

/** The longest number is the largest one, or the one with the most digits. */
function numberWidth(column: Column, lines: readonly Line[]): number {
  const { name } = column;
  let [largest, longest] = [lines[0], lines[0]];
  const sizeOf = (line: Line | undefined) => Math.abs(Number(line?.values[name] ?? 0));
  const lengthOf = (line: Line | undefined) => String(line?.values[name] ?? '').length;
  for (const line of lines) {
    if (sizeOf(line) > sizeOf(largest)) largest = line;
    if (lengthOf(line) > lengthOf(longest)) longest = line;
  }
  const lengths = [largest, longest].map((line) => (line ? textOf(column, line).length : 0));
  return Math.ceil(Math.max(...lengths) * digit) + 18;
}

function textOf({ field, node, widget, name }: Column, { values }: Line): string {
  return widget.toText({ field, node, model: '', value: values[name], record: values, place: 'grid' });
}

/** Names and descriptions get more width than other texts, and those more than numbers. */
function weightOf(field: ArchField, name: string, at: number): number {
  const type = fieldType(field.type);
  if (!isWords(type)) return 0.5;
  if (at === 0 || name === 'name') return 3;
  return type.isRelation ? 1 : 2;
}

const letter = 7.2;

/** Wide enough for its header, and narrow enough that an order with its discussion does not scroll horizontally. */
function minWidth({ field, widget, label, name }: Column, at: number, isPart: boolean): number {
  if (isPart && !fieldType(field.type).isText) return 44;
  const head = isPart ? 0 : Math.min(labelWidth(label, letter) + 18, 240);
  const type = fieldType(field.type);
  if (type.isRelation) return Math.max(head, at === 0 ? 150 : type.isList ? 98 : 56);
  if (isWords(type)) return Math.max(head, at === 0 ? 150 : name === 'name' ? 140 : 88);
  if (type.isMoney) return Math.max(head, 96);
  if (type.isDate) return Math.max(head, dateWidth(type.isInstant));
  return Math.max(head, Math.min(widget.width ?? 90, 72));
}

/** A date with its calendar icon. */
function dateWidth(hasTime: boolean): number {
  return hasTime ? 192 : 128;
}

export interface GridColumns extends Columns {
  readonly tracks: readonly GridTrack[];
  /** The amount of a line, shown beside its name where lines are cards. */
  readonly amount: string | undefined;
}

const noFields: readonly ArchField[] = [];

/** The columns of lines in the user's order, with those that share a cell side by side. */
export function useGridColumns(
  arch: Arch,
  { name, list, fields = noFields }: FieldNode,
  lines: readonly Line[],
): GridColumns {
  const columns = useColumns({ key: `${arch.key ?? arch.model}/${name}`, list, fields });
  // As one text, so that columns stay the same objects while people type.
  const unused = columns.shown
    .filter((column) => isUnused(column, lines))
    .map((column) => column.name)
    .join();
  return useMemo(() => {
    const left = new Set(unused.split(','));
    const tracks = gridTracks(columns.shown.filter((one) => one.node.widget !== 'handle' && !left.has(one.name)));
    return {
      ...columns,
      shown: tracks.flatMap((track) => track.columns),
      tracks,
      amount: tracks.findLast(({ columns: [column], at }) => at > 0 && column.isEnd)?.columns[0].name,
    };
  }, [columns, unused]);
}

/** An optional column that no line shows: what is delivered of a quotation. */
function isUnused({ node }: Column, lines: readonly Line[]): boolean {
  return (
    node.optional !== undefined &&
    node.invisible !== undefined &&
    lines.every((line) => holds(node.invisible, line.values))
  );
}
