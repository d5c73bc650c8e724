import type { RecordValues, Values } from '../rpc.ts';

/** What a person did to the lines of a record, as `create` and `write` take it. */
export type LineCommand =
  | readonly ['create', Values]
  | readonly ['update', number, Values]
  | readonly ['update', number, Values, Values]
  | readonly ['link', number]
  | readonly ['unlink', number]
  | readonly ['delete', number]
  | readonly ['set', readonly number[]]
  | readonly ['clear'];

/** A line on screen. New ones have a negative id of their own until they are saved. */
export interface Line {
  readonly key: number;
  readonly values: RecordValues;
  readonly isNew: boolean;
}

/** The edit of an x2many while it is on screen: what stays, what changed, what is new, in the order shown. */
export interface LinesEdit {
  readonly kind: 'lines';
  /** Lines as the server has them, with the changes of the person. */
  readonly changed: Readonly<Record<number, Values>>;
  readonly created: readonly Line[];
  readonly removed: readonly number[];
  readonly linked: readonly RecordValues[];
}

export const noLinesEdit: LinesEdit = {
  kind: 'lines',
  changed: {},
  created: [],
  removed: [],
  linked: [],
};

export function isLinesEdit(value: unknown): value is LinesEdit {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'lines';
}

/** Lines come from the server as records, or as bare ids when the view shows nothing of them. */
export function storedLines(value: unknown): readonly RecordValues[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).map((line) => (typeof line === 'number' ? { id: line } : (line as RecordValues)));
}

export function shownLines(stored: unknown, edit: LinesEdit): readonly Line[] {
  const kept = [...storedLines(stored), ...edit.linked]
    .filter((line) => !edit.removed.includes(line.id))
    .map((line) => ({ key: line.id, values: { ...line, ...edit.changed[line.id] }, isNew: false }));
  return [...kept, ...edit.created];
}

let lastKey = 0;

export function addLine(edit: LinesEdit, values: Values): LinesEdit {
  const key = --lastKey;
  return { ...edit, created: [...edit.created, { key, values: { ...values, id: key }, isNew: true }] };
}

export function changeLine(edit: LinesEdit, key: number, values: Values): LinesEdit {
  if (key < 0) {
    const created = edit.created.map((line) =>
      line.key === key ? { ...line, values: { ...line.values, ...values, id: key } } : line,
    );
    return { ...edit, created };
  }
  return { ...edit, changed: { ...edit.changed, [key]: { ...edit.changed[key], ...values } } };
}

export function removeLine(edit: LinesEdit, key: number): LinesEdit {
  if (key < 0) return { ...edit, created: edit.created.filter((line) => line.key !== key) };
  const linked = edit.linked.filter((line) => line.id !== key);
  if (linked.length < edit.linked.length) return { ...edit, linked };
  return { ...edit, removed: [...edit.removed, key] };
}

export function linkLine(edit: LinesEdit, record: RecordValues): LinesEdit {
  if (edit.removed.includes(record.id)) return { ...edit, removed: edit.removed.filter((id) => id !== record.id) };
  return { ...edit, linked: [...edit.linked.filter(({ id }) => id !== record.id), record] };
}

/** Keys with a dot are names that came along for the screen; the server knows them. */
export function plainValues(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name !== 'id' && !name.includes('.')));
}

/** A many2many loses a link, a one2many loses the line itself. */
export function toCommands(edit: LinesEdit, stored: unknown, isOwned: boolean): readonly LineCommand[] {
  const before = new Map(storedLines(stored).map((line) => [line.id, line]));
  const commands: LineCommand[] = [];
  for (const id of edit.removed) commands.push([isOwned ? 'delete' : 'unlink', id]);
  for (const [key, values] of Object.entries(edit.changed)) {
    const id = Number(key);
    if (edit.removed.includes(id)) continue;
    const plain = plainValues(values);
    const base = Object.fromEntries(Object.keys(plain).map((name) => [name, before.get(id)?.[name] ?? null]));
    commands.push(['update', id, plain, base]);
  }
  for (const { id } of edit.linked) commands.push(['link', id]);
  for (const line of edit.created) commands.push(['create', plainValues(line.values)]);
  return commands;
}

export function hasChanges(edit: LinesEdit): boolean {
  return Object.keys(edit.changed).length + edit.created.length + edit.removed.length + edit.linked.length > 0;
}
