import { type RefObject, useEffect, useRef } from 'react';
import { fieldType, isPerson, valueText, type WorkspacePayload } from '../../door/index.ts';
import type { Column } from './columns.ts';
import { labelWidth } from './label-width.ts';

const minWidth = 60;

const maxShrink = 0.42;

const measured = 40;
const letter = 6.7;
const headLetter = 7;
/** Extra width in pixels: padding of a cell, an avatar, padding of a badge. */
const beside = { cell: 28, picture: 28, badge: 54 };
const mostWide = { short: 140, wanted: 380, whole: 640 };

/**
 * Long texts are as wide as most of the first rows need; short ones as wide as all of them need, which leaves room for
 * the long ones. A state is as wide as its longest label, a number or a date as the longest of the first rows: they are
 * never truncated. A column that a widget draws itself is at least as wide as the widget asks.
 */
export function sizedByContent(
  columns: readonly Column[],
  { model, records }: Pick<WorkspacePayload, 'model' | 'records'>,
): readonly Column[] {
  return columns.map((column) => {
    const { field, node, label } = column;
    const { isText, isToOne, isChoice, isNumber, isDate } = fieldType(field.type);
    if (column.isSized || node.width !== undefined || column.widget.isDirect) return column;
    const texts = () =>
      records.slice(0, measured).map((record) => valueText({ field, node, model, record, place: 'list' }));
    if (isChoice || column.widget.isWhole) {
      const words = isChoice ? (field.selection ?? []).map(([, word]) => word) : texts();
      const longest = Math.max(0, ...words.map(({ length }) => length));
      return { ...column, width: Math.max(column.width, Math.min(240, Math.round(longest * letter) + beside.badge)) };
    }
    if (isNumber || isDate) {
      const longest = Math.max(0, ...texts().map((text) => textWidth(text, false)));
      return { ...column, width: Math.max(column.width, Math.min(mostWide.wanted, Math.ceil(longest) + beside.cell)) };
    }
    if (!(isText || isToOne)) return column;
    const more = beside.cell + (isPerson(column) ? beside.picture : 0);
    const widths = texts()
      .map((text) => textWidth(text, column.isMain === true) + more)
      .sort((a, b) => a - b);
    const [most, all] = [widths[Math.floor(widths.length * 0.9)], widths.at(-1)];
    if (most === undefined || all === undefined) return column;
    const least = isDrawn(column) ? column.width : 90;
    const width = Math.max(least, most, Math.min(all, mostWide.short), label.length * letter + 12 + more);
    return {
      ...column,
      width: Math.round(Math.min(mostWide.wanted, width)),
      whole: Math.round(Math.min(mostWide.whole, all)),
    };
  });
}

/** By a component of a widget that the view names, such as a bar or a map of an addon; people are as wide as their names. */
function isDrawn(column: Column): boolean {
  const { node, widget } = column;
  return node.widget !== undefined && widget.width !== undefined && widget.cell === undefined && !isPerson(column);
}

interface MeasuredOptions {
  readonly box: RefObject<HTMLElement | null>;
  readonly records: WorkspacePayload['records'];
  readonly placeKey: string;
  readonly isLoading: boolean;
}

/**
 * The records that column widths are computed from. After the user has interacted with the list, they stay fixed until
 * the next search, so that edits do not move columns.
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

/** An estimate of the text width in the row font, which may not be loaded yet. */
function textWidth(text: string, isBold: boolean): number {
  let width = 0;
  for (const one of text) {
    if (one > '\u2e7f') width += 13;
    else if (narrow.test(one)) width += 4;
    else if (wide.test(one)) width += 11.8;
    else if (one >= '0' && one <= '9') width += 8.2;
    else width += one === one.toLowerCase() ? 7.6 : 9;
  }
  return isBold ? width * 1.03 : width;
}

/**
 * Widths that fill the table. Spare room goes to names and texts without a fixed width: first to truncated ones until
 * they fit, then to all. If there is too little room they shrink, the widest first and the record name last. Short
 * names such as order numbers never shrink, nor does any name in a list that scrolls horizontally anyway.
 */
export function fitWidths(given: readonly Column[], room: number): readonly number[] {
  const columns = widenTruncated(
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
  const most = maxWidthToShrink(others, byOthers);
  const byMain = lack - byOthers;
  return columns.map((column) => {
    const { isSized, width } = column;
    if (isSized) return Math.max(minWidth, width);
    if (!isElastic(column)) return Math.floor(width * (texts > 0 ? 1 : 1 + extra));
    const fitting = column === main ? mainWidth(column, byMain) : Math.min(width, shrunk(width, most));
    return Math.max(headWidth(column), Math.floor(width * extra + fitting));
  });
}

/** The name column shrunk by `less`; full width if that is not enough, because the list then scrolls horizontally. */
function mainWidth(column: Column, less: number): number {
  const { width, whole = 0 } = column;
  if (less <= 0 || isShort(column)) return width;
  return less > width * maxShrink ? Math.max(width, Math.min(mostWide.wanted, whole)) : width - less;
}

function isShort({ whole }: Column): boolean {
  return whole !== undefined && whole <= mostWide.short;
}

/** Distributes spare room equally among truncated columns, each at most what it lacks. */
function widenTruncated(columns: readonly Column[], room: number): readonly Column[] {
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

/** The maximum width that makes all columns together narrower by `by`. */
function maxWidthToShrink(widths: readonly number[], by: number): number {
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

/** The width of the header, which is never truncated. */
function headWidth({ label, node }: Column): number {
  if (node.nolabel) return minWidth;
  return Math.max(minWidth, labelWidth(label, headLetter) + 30);
}

/** Truncated words are still readable; truncated numbers and dates are not. */
function isElastic(column: Column): boolean {
  const { isSized, field, widget } = column;
  const { isText, isRelation, isReference } = fieldType(field.type);
  return !isSized && !widget.isWhole && !isDrawn(column) && (isText || isRelation || isReference);
}
