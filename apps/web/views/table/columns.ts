import { useMemo } from 'react';
import {
  type Arch,
  type ArchField,
  createStore,
  type FieldWidget,
  fieldType,
  type GroupMeasure,
  type ListArch,
  type ListColumn,
  saveSetting,
  useStorePart,
  widgetOf,
} from '../../door/index.ts';

/** A user's choices for a table. */
type ColumnChoice = NonNullable<Arch['columns']>;

const noChoice: ColumnChoice = { order: [], hidden: [], widths: {} };

/** A column with everything needed to render it. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly node: ListColumn;
  readonly field: ArchField;
  readonly widget: FieldWidget;
  /** Values are aligned to the end of the cell, as for numbers. */
  readonly isEnd: boolean;
  readonly canHide: boolean;
  readonly isHidden: boolean;
  /** Preferred width in pixels; a width that the user set is not stretched. */
  readonly width: number;
  readonly isSized: boolean;
  /** The column that names the record: the link that opens it, and the title of its card on a phone. */
  readonly isMain?: boolean;
  /** Width in pixels at which none of its texts is truncated. */
  readonly whole?: number;
}

/** A list or the lines of a record, and the key of the setting that stores the user's choice. */
interface ColumnSource {
  readonly key: string;
  readonly list?: ListArch | undefined;
  readonly fields: readonly ArchField[];
  /** The choice stored on the server. */
  readonly choice?: ColumnChoice | undefined;
}

/** All columns in the user's order, including hidden ones. The row itself renders the handle. */
export function columnsOf({ list, fields, choice = noChoice }: Omit<ColumnSource, 'key'>): readonly Column[] {
  const byName = new Map(fields.map((field) => [field.name, field]));
  const columns = (list?.columns ?? []).flatMap((node): readonly Column[] => {
    const field = byName.get(node.name);
    if (!field || node.invisible === true || node.name === list?.handle) return [];
    return [toColumn(node, field, choice)];
  });
  const rank = ({ name }: Column) => choice.order.indexOf(name);
  const arranged = choice.order.length === 0 ? columns : [...columns].sort((a, b) => rank(a) - rank(b));
  const main = mainOf(arranged.filter(({ isHidden }) => !isHidden));
  return arranged.map((column) => (column === main ? { ...column, isMain: true } : column));
}

/** The first text that every record has, otherwise the first column: not an image, stars or a time before the name. */
function mainOf(columns: readonly Column[]): Column | undefined {
  const isName = ({ node, field }: Column) =>
    fieldType(field.type).isShort && field.required && node.widget === undefined;
  return columns.find(isName) ?? columns[0];
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
    isEnd: widget.align === 'end',
    canHide: node.optional !== undefined,
    isHidden: !node.isFigure && (isChosen ? choice.hidden.includes(node.name) : node.optional === 'hide'),
    width: own ?? node.width ?? widget.width ?? 160,
    isSized: own !== undefined,
  };
}

/** Choices made on this page, by table key; they override those stored on the server. */
const choices = createStore<Readonly<Record<string, ColumnChoice>>>({});

export interface Columns {
  readonly all: readonly Column[];
  readonly shown: readonly Column[];
  toggle(name: string): void;
  resize(name: string, width: number): void;
  move(name: string, steps: number): void;
  reset(): void;
}

/** The columns of a table as the user arranged them; changes are stored on the server. */
export function useColumns({ key, list, fields, choice: kept }: ColumnSource): Columns {
  const choice = useStorePart(choices, (all) => all[key]) ?? kept;
  return useMemo(() => {
    const all = columnsOf({ list, fields, choice });
    const keep = (next: ColumnChoice) => {
      choices.set((now) => ({ ...now, [key]: next }));
      saveSetting(`columns:${key}`, next);
    };
    return { all, shown: all.filter(({ isHidden }) => !isHidden), ...columnChanges(all, choice, keep) };
  }, [key, list, fields, choice]);
}

/** The changes a user can make to columns, each returning the complete choice to store. */
export function columnChanges(
  all: readonly Column[],
  { widths }: ColumnChoice = noChoice,
  keep: (choice: ColumnChoice) => void,
): Omit<Columns, 'all' | 'shown'> {
  const order = all.map(({ name }) => name);
  const namesOf = (columns: readonly Column[]) => columns.map(({ name }) => name);
  const hidden = namesOf(all.filter(({ isHidden }) => isHidden));
  return {
    toggle(name) {
      const next = namesOf(all.filter((one) => (one.name === name) !== one.isHidden));
      if (next.length < all.length) keep({ order, hidden: next, widths });
    },
    resize: (name, width) => keep({ order, hidden, widths: { ...widths, [name]: Math.round(width) } }),
    move: (name, steps) => keep({ order: moved(all, name, steps), hidden, widths }),
    reset: () => keep(noChoice),
  };
}

/** Moves a column past the next visible ones; hidden columns in between do not count as steps. */
function moved(all: readonly Column[], name: string, steps: number): readonly string[] {
  const names = all.map((one) => one.name);
  const shown = all.filter(({ isHidden }) => !isHidden);
  const at = shown.findIndex((one) => one.name === name);
  const target = shown[at + steps];
  if (at < 0 || !target) return names;
  const without = names.filter((one) => one !== name);
  without.splice(without.indexOf(target.name) + (steps > 0 ? 1 : 0), 0, name);
  return without;
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

/** How a column is sorted in an order such as `-date, name`. */
export function sortOf(order: string, name: string): 'up' | 'down' | null {
  const terms = termsOf(order);
  if (terms.includes(name)) return 'up';
  return terms.includes(`-${name}`) ? 'down' : null;
}

/** Ascending, then descending, then unsorted. With `isFurther`, earlier levels are kept. */
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
