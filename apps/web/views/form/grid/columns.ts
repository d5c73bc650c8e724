import {
  type Arch,
  type ArchField,
  type FieldNode,
  type FieldTypeTraits,
  fieldType,
  type ListColumn,
} from '@kontor/protocol';
import { useMemo } from 'react';
import type { Line } from '../../../data/form/lines.ts';
import { saveSetting } from '../../../data/settings.ts';
import type { FieldWidget } from '../../../fields/define-field.ts';
import { widgetOf } from '../../../fields/registry.tsx';
import { createStore, useStorePart } from '../../../state/store.ts';

export interface GridColumn {
  readonly name: string;
  readonly label: string;
  readonly field: ArchField;
  readonly node: ListColumn;
  readonly widget: FieldWidget;
  readonly isEnd: boolean;
  /** A person may switch it on and off. */
  readonly isOptional: boolean;
}

/** Columns that share a cell: the first has the head, the others stand below or beside it. */
export interface GridTrack {
  readonly columns: readonly [GridColumn, ...GridColumn[]];
  /** Where its first column is among all. */
  readonly at: number;
  /** A text stands below the name that it describes. */
  readonly isStacked: boolean;
}

/** A column whose partner is not shown stands alone. */
function gridTracks(columns: readonly GridColumn[]): readonly GridTrack[] {
  const isPart = ({ node }: GridColumn) => columns.some(({ name }) => name === node.cell);
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

/** What a grid can show; the handle is drawn as a grip, not as a column. */
function gridColumns({ list, fields }: FieldNode): readonly GridColumn[] {
  const byName = new Map(fields?.map((field) => [field.name, field]));
  return (list?.columns ?? []).flatMap((node) => {
    const field = byName.get(node.name);
    if (!field || node.invisible === true || node.widget === 'handle' || node.name === list?.handle) return [];
    const widget = widgetOf(field, node.widget);
    const label = node.label ?? field.label;
    const isOptional = node.optional !== undefined;
    return [{ name: node.name, label, field, node, widget, isEnd: widget.align === 'end', isOptional }];
  });
}

/** Texts, and relations by their names. */
function isWords({ isText, isRelation, isReference }: FieldTypeTraits): boolean {
  return isText || isRelation || isReference;
}

/** The room for what can be done with a line. */
const endWidth = 64;

export interface GridLayout {
  /** Texts share what numbers, dates and choices leave. */
  readonly template: string;
  /** Below this the grid scrolls sideways; every row must agree on it, or their columns would not line up. */
  readonly width: number;
}

export function gridLayout(tracks: readonly GridTrack[], lines: readonly Line[], hasGrip: boolean): GridLayout {
  const least = tracks.map((track, at) => leastWidth(track, at, lines));
  const widths = tracks.map(({ columns: [{ field, node, name }] }, at) =>
    node.width ? `${node.width}px` : `minmax(${least[at]}px, ${weightOf(field, name, at)}fr)`,
  );
  return {
    template: [...(hasGrip ? ['32px'] : []), ...widths, `${endWidth}px`].join(' '),
    width: least.reduce((sum, width) => sum + width, endWidth + (hasGrip ? 32 : 0)),
  };
}

function leastWidth({ columns, isStacked }: GridTrack, at: number, lines: readonly Line[]): number {
  const widths = columns.map((column, part) => {
    return column.node.width ?? Math.max(minWidth(column, at, part > 0), wholeWidth(column, lines));
  });
  return isStacked ? Math.max(...widths, 200) : widths.reduce((sum, width) => sum + width, 0);
}

const digit = 7.8;
/** What a badge has around its word, and a cell around that. */
const aroundWord = 46;

/** Room for the longest of what is never cut off: numbers and badges. */
function wholeWidth(column: GridColumn, lines: readonly Line[]): number {
  if (column.isEnd) return numberWidth(column, lines);
  if (!column.widget.isWhole) return 0;
  const longest = Math.max(0, ...lines.map((line) => textOf(column, line).length));
  return longest === 0 ? 0 : Math.ceil(longest * letter) + aroundWord;
}

/** The longest number is the largest, or the one with the most digits. */
function numberWidth(column: GridColumn, lines: readonly Line[]): number {
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

function textOf({ field, node, widget, name }: GridColumn, { values }: Line): string {
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

/** Wide enough for its head; narrow enough that an order with its talk beside it needs no scrolling sideways. */
function minWidth({ field, widget, label, name }: GridColumn, at: number, isPart: boolean): number {
  if (isPart && !fieldType(field.type).isText) return 44;
  const head = isPart ? 0 : Math.min(Math.ceil(label.length * letter) + 18, 170);
  const type = fieldType(field.type);
  if (type.isRelation) return Math.max(head, at === 0 ? 150 : type.isList ? 98 : 56);
  if (isWords(type)) return Math.max(head, at === 0 ? 150 : name === 'name' ? 140 : 88);
  if (type.isMoney) return Math.max(head, 96);
  if (type.isDate) return Math.max(head, dateWidth(type.isInstant));
  return Math.max(head, Math.min(widget.width ?? 90, 72));
}

/** A date with the icon of its calendar after it. */
function dateWidth(hasTime: boolean): number {
  return hasTime ? 192 : 128;
}

/** Columns that were hidden on this page, by the key of their setting; until then as the server says. */
const choices = createStore<Readonly<Record<string, readonly string[]>>>({});

export interface GridColumns {
  readonly shown: readonly GridColumn[];
  readonly tracks: readonly GridTrack[];
  /** What a line comes to, beside its name where a line is a card. */
  readonly amount: string | undefined;
  readonly optional: readonly GridColumn[];
  isHidden(name: string): boolean;
  toggle(name: string): void;
}

/** The columns of a grid as its user wants them; the choice is kept on the server. */
export function useGridColumns(arch: Arch, node: FieldNode): GridColumns {
  const key = `columns:${arch.key ?? arch.model}/${node.name}`;
  const chosen = useStorePart(choices, (all) => all[key]);
  return useMemo(() => {
    const all = gridColumns(node);
    const optional = all.filter((column) => column.isOptional);
    const hidden = chosen ?? optional.filter((column) => column.node.optional === 'hide').map((column) => column.name);
    const tracks = gridTracks(all.filter((column) => !column.isOptional || !hidden.includes(column.name)));
    return {
      shown: tracks.flatMap((track) => track.columns),
      tracks,
      amount: tracks.findLast(({ columns: [column], at }) => at > 0 && column.isEnd)?.columns[0].name,
      optional,
      isHidden: (name) => hidden.includes(name),
      toggle(name) {
        const next = hidden.includes(name) ? hidden.filter((one) => one !== name) : [...hidden, name];
        choices.set((now) => ({ ...now, [key]: next }));
        saveSetting(key, { hidden: next });
      },
    };
  }, [node, chosen, key]);
}
