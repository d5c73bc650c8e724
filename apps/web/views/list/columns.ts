import {
  type Arch,
  type ArchField,
  fieldType,
  type GroupMeasure,
  type ListColumn,
  type WorkspacePayload,
} from '@kontor/protocol';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { saveSetting } from '../../data/settings.ts';
import type { FieldWidget } from '../../fields/define-field.ts';
import { isPerson } from '../../fields/many2one.tsx';
import { valueText, widgetOf } from '../../fields/registry.tsx';
import { createStore, useStore } from '../../state/store.ts';

/** What a person chose for a list. */
type ColumnChoice = NonNullable<Arch['columns']>;

const noChoice: ColumnChoice = { order: [], hidden: [], widths: {} };

/** A column with all that drawing it needs. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly node: ListColumn;
  readonly field: ArchField;
  readonly widget: FieldWidget;
  readonly align: 'start' | 'end';
  readonly canHide: boolean;
  readonly isHidden: boolean;
  /** Pixels that it wants; a person's own choice is not stretched. */
  readonly width: number;
  readonly isSized: boolean;
  /** It names the record: what one clicks to open it, and the title of its card on a phone. */
  readonly isMain?: boolean;
  /** Pixels in which none of its texts is cut. */
  readonly whole?: number;
}

/** All columns of the list in the person's order, hidden ones too. The handle is drawn by the row itself. */
function arrangeColumns(arch: Arch, choice: ColumnChoice): readonly Column[] {
  const list = arch.list;
  if (!list) return [];
  const fields = new Map(arch.fields.map((field) => [field.name, field]));
  const columns = list.columns.flatMap((node): readonly Column[] => {
    const field = fields.get(node.name);
    if (!field || node.invisible === true || node.name === list.handle) return [];
    return [toColumn(node, field, choice)];
  });
  const rank = ({ name }: Column) => choice.order.indexOf(name);
  return choice.order.length === 0 ? columns : [...columns].sort((a, b) => rank(a) - rank(b));
}

/** The first text that every record has, else the first column: not a picture, stars or an hour before the name. */
function mainAt(columns: readonly Column[]): number {
  const isName = ({ node, field }: Column) =>
    fieldType(field.type).isShort && field.required && node.widget === undefined;
  return Math.max(0, columns.findIndex(isName));
}

function toColumn(node: ListColumn, field: ArchField, choice: ColumnChoice): Column {
  const widget = widgetOf(field, node.widget);
  const own = choice.widths[node.name];
  const isChosen = choice.order.length > 0 || choice.hidden.length > 0;
  return {
    name: node.name,
    label: node.label ?? field.label,
    node,
    field,
    widget,
    align: widget.align ?? 'start',
    canHide: node.optional !== undefined,
    isHidden: isChosen ? choice.hidden.includes(node.name) : node.optional === 'hide',
    width: own ?? node.width ?? widget.width ?? 160,
    isSized: own !== undefined,
  };
}

const minWidth = 60;

const maxShrink = 0.42;

const measured = 40;
const letter = 6.7;
const headLetter = 7;
/** What a cell has beside its text, beside that the picture of a person, and beside a word in a badge. */
const beside = { cell: 28, picture: 28, badge: 54 };
const mostWide = { short: 140, wanted: 380, whole: 640 };

/**
 * Names and texts are as wide as most of the first rows need, and short ones as all of them do, so that they leave their room to the
 * long. A state has the room of its longest word, which is not cut.
 */
export function sizedByContent(
  columns: readonly Column[],
  { model, records }: Pick<WorkspacePayload, 'model' | 'records'>,
): readonly Column[] {
  return columns.map((column) => {
    const { field, node, label } = column;
    const { isText, isToOne, isChoice } = fieldType(field.type);
    if (column.isSized || node.width !== undefined || column.widget.isDirect) return column;
    const texts = () =>
      records.slice(0, measured).map((record) => valueText({ field, node, model, record, place: 'list' }));
    if (isChoice || column.widget.isWhole) {
      const words = isChoice ? (field.selection ?? []).map(([, word]) => word) : texts();
      const longest = Math.max(0, ...words.map(({ length }) => length));
      return { ...column, width: Math.max(column.width, Math.min(240, Math.round(longest * letter) + beside.badge)) };
    }
    if (!(isText || isToOne)) return column;
    const more = beside.cell + (isPerson(column) ? beside.picture : 0);
    const widths = texts()
      .map((text) => textWidth(text, column.isMain === true) + more)
      .sort((a, b) => a - b);
    const [most, all] = [widths[Math.floor(widths.length * 0.9)], widths.at(-1)];
    if (most === undefined || all === undefined) return column;
    const width = Math.max(90, most, Math.min(all, mostWide.short), label.length * letter + 12 + more);
    return {
      ...column,
      width: Math.round(Math.min(mostWide.wanted, width)),
      whole: Math.round(Math.min(mostWide.whole, all)),
    };
  });
}

interface MeasuredOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly records: WorkspacePayload['records'];
  readonly placeKey: string;
  readonly isLoading: boolean;
}

/**
 * The records that widths are taken from. Once a person has touched the list, they are those of that moment until something else is
 * searched for: what is edited, added or taken away then moves no column.
 */
export function useMeasured({ box, records, placeKey, isLoading }: MeasuredOptions): WorkspacePayload['records'] {
  const kept = useRef(records);
  const touched = useRef<string | null>(null);
  useEffect(() => {
    const element = box.current;
    const touch = () => {
      touched.current = placeKey;
    };
    const events = ['pointerdown', 'keydown'] as const;
    for (const event of events) element?.addEventListener(event, touch, { capture: true, passive: true });
    return () => {
      for (const event of events) element?.removeEventListener(event, touch, { capture: true });
    };
  }, [box, placeKey]);
  if (!isLoading && (touched.current !== placeKey || kept.current.length === 0)) kept.current = records;
  return kept.current;
}

const narrow = /[ijlftr1I !,.:;'|()[\]/\\]/;
const wide = /[mwMW@%]/;

/** About what a text needs in the font of rows, which need not be there yet. */
function textWidth(text: string, isBold: boolean): number {
  let width = 0;
  for (const one of text) {
    if (one > '\u2e7f') width += 13;
    else if (narrow.test(one)) width += 4;
    else if (wide.test(one)) width += 11.8;
    else width += one === one.toLowerCase() ? 7.6 : 9;
  }
  return isBold ? width * 1.03 : width;
}

/**
 * Widths that fill the table. What is left goes to names and texts without a chosen width: first to those that are cut, until they
 * are whole, then to all of them. If there is too little, they shrink first, the widest before the others, and the name of the record last:
 * a number of an order, which is short, not at all, nor any name in a list that scrolls sideways all the same.
 */
export function fitWidths(given: readonly Column[], room: number): readonly number[] {
  const columns = madeWhole(
    given.map((column) => (column.isSized ? column : { ...column, width: Math.max(column.width, headWidth(column)) })),
    room,
  );
  const total = (isMeant: (column: Column, at: number) => boolean) =>
    columns.reduce((sum, column, at) => sum + (isMeant(column, at) ? column.width : 0), 0);
  const free = room - total(({ isSized }) => isSized);
  const wanted = total(({ isSized }) => !isSized);
  const lack = Math.max(0, wanted - free);
  const texts = total(isElastic);
  const extra = Math.max(0, free - wanted) / (texts || wanted || 1);
  const main = columns.find(({ isMain }) => isMain) ?? columns[0];
  const others = columns.flatMap((column) => (column !== main && isElastic(column) ? column.width : []));
  const byOthers = Math.min(lack, others.reduce((sum, width) => sum + width, 0) * maxShrink);
  const most = widestLeft(others, byOthers);
  const byMain = lack - byOthers;
  return columns.map((column) => {
    const { isSized, width } = column;
    if (isSized) return Math.max(minWidth, width);
    if (!isElastic(column)) return Math.floor(width * (texts > 0 ? 1 : 1 + extra));
    const fitting = column === main ? mainWidth(column, byMain) : Math.min(width, shrunk(width, most));
    return Math.max(headWidth(column), Math.floor(width * extra + fitting));
  });
}

/** The name of a record with so much less; whole where that does not help: the list scrolls sideways then. */
function mainWidth(column: Column, less: number): number {
  const { width, whole = 0 } = column;
  if (less <= 0 || isShort(column)) return width;
  return less > width * maxShrink ? Math.max(width, Math.min(mostWide.wanted, whole)) : width - less;
}

function isShort({ whole }: Column): boolean {
  return whole !== undefined && whole <= mostWide.short;
}

/** Columns whose texts are cut get what is left of the room: each as much as the others, and none more than it lacks. */
function madeWhole(columns: readonly Column[], room: number): readonly Column[] {
  const lackOf = (column: Column) => (isElastic(column) ? Math.max(0, (column.whole ?? 0) - column.width) : 0);
  const lacks = columns.map(lackOf).sort((a, b) => a - b);
  let left = Math.max(0, room - columns.reduce((sum, { width }) => sum + width, 0));
  let most = 0;
  lacks.forEach((lack, at) => {
    most = Math.min(lack, left / (lacks.length - at));
    left -= most;
  });
  return columns.map((column) => ({ ...column, width: column.width + Math.min(lackOf(column), most) }));
}

/** A width that no column need exceed for all of them to be narrower by so much. */
function widestLeft(widths: readonly number[], by: number): number {
  let [low, high] = [0, Math.max(0, ...widths)];
  for (let round = 0; round < 16; round++) {
    const middle = (low + high) / 2;
    const given = widths.reduce((sum, width) => sum + width - shrunk(width, middle), 0);
    if (given > by) low = middle;
    else high = middle;
  }
  return Math.floor(high + 0.01);
}

function shrunk(width: number, most: number): number {
  return Math.max(width * (1 - maxShrink), Math.min(width, most));
}

/** What its head needs, which is never cut off. */
function headWidth({ label, node }: Column): number {
  if (node.nolabel) return minWidth;
  const wide = label.match(/[mwMW]/g)?.length ?? 0;
  return Math.max(minWidth, Math.ceil(label.length * headLetter + wide * 2) + 30);
}

/** Words can still be read when they are cut off; numbers and dates cannot. */
function isElastic({ isSized, field, widget }: Column): boolean {
  const { isText, isRelation, isReference } = fieldType(field.type);
  return !isSized && !widget.isWhole && (isText || isRelation || isReference);
}

/** The measures of subtotals and totals, as `read_group` takes them. */
export function columnMeasures(arch: Arch, groupBy: string): GroupMeasure[] {
  return (arch.list?.columns ?? [])
    .filter(({ name, sum, avg }) => (sum ?? avg) !== undefined && name !== groupBy && isNumeric(arch, name))
    .map(({ name, sum }) => ({ name, field: name, measure: sum === undefined ? 'avg' : 'sum' }));
}

function isNumeric(arch: Arch, name: string): boolean {
  const field = arch.fields.find((one) => one.name === name);
  return field?.stored === true && fieldType(field.type).isNumber;
}

/** Choices made on this page, by the key of the screen; until then those that the server keeps. */
const choices = createStore<Readonly<Record<string, ColumnChoice>>>({});

export interface Columns {
  readonly all: readonly Column[];
  readonly shown: readonly Column[];
  toggle(name: string): void;
  resize(name: string, width: number): void;
  move(name: string, steps: number): void;
  reset(): void;
}

/** The columns of a list as its user wants them; changes are kept on the server. */
export function useColumns(arch: Arch): Columns {
  const key = arch.key ?? arch.model;
  const choice = useStore(choices)[key] ?? arch.columns ?? noChoice;
  return useMemo(() => {
    const arranged = arrangeColumns(arch, choice);
    const visible = arranged.filter(({ isHidden }) => !isHidden);
    const main = visible[mainAt(visible)];
    const all = arranged.map((column) => (column === main ? { ...column, isMain: true } : column));
    const shown = all.filter(({ isHidden }) => !isHidden);
    const choose = (change: Partial<ColumnChoice>) => {
      const order = all.map(({ name }) => name);
      const hidden = all.filter(({ isHidden }) => isHidden).map(({ name }) => name);
      keep(key, { order, hidden, widths: choice.widths, ...change });
    };
    return {
      all,
      shown,
      toggle(name) {
        const hidden = all.filter((one) => (one.name === name ? !one.isHidden : one.isHidden)).map((one) => one.name);
        if (hidden.length < all.length) choose({ hidden });
      },
      resize: (name, width) => choose({ widths: { ...choice.widths, [name]: Math.round(width) } }),
      move: (name, steps) => choose({ order: moved(all, shown, name, steps) }),
      reset: () => keep(key, noChoice),
    };
  }, [arch, choice, key]);
}

function keep(key: string, choice: ColumnChoice): void {
  choices.set((now) => ({ ...now, [key]: choice }));
  saveSetting(`columns:${key}`, choice);
}

/** Past the next columns that are shown; hidden ones in between do not count as steps. */
function moved(all: readonly Column[], shown: readonly Column[], name: string, steps: number): readonly string[] {
  const names = all.map((one) => one.name);
  const at = shown.findIndex((one) => one.name === name);
  const target = shown[at + steps];
  if (at < 0 || !target) return names;
  const without = names.filter((one) => one !== name);
  without.splice(without.indexOf(target.name) + (steps > 0 ? 1 : 0), 0, name);
  return without;
}

/** How a column stands in an order such as `-date, name`. */
export function sortOf(order: string, name: string): 'up' | 'down' | null {
  const terms = termsOf(order);
  if (terms.includes(name)) return 'up';
  return terms.includes(`-${name}`) ? 'down' : null;
}

/** Up, then down, then no longer. A further level keeps those before it. */
export function nextSort(order: string, name: string, isFurther: boolean): string {
  const others = isFurther ? termsOf(order).filter((term) => term !== name && term !== `-${name}`) : [];
  const now = sortOf(order, name);
  const next = now === null ? [name] : now === 'up' ? [`-${name}`] : [];
  return [...others, ...next].join(', ');
}

function termsOf(order: string): readonly string[] {
  return order
    .split(',')
    .map((term) => term.trim())
    .filter((term) => term !== '');
}
