import { fieldType } from '@kontor/protocol';
import type { RecordValues, Values } from '../rpc.ts';

/** A line on screen. New lines have a negative id until they are saved. */
export interface Line {
  readonly key: number;
  readonly values: RecordValues;
  readonly isNew: boolean;
  /** Without input: it has only its defaults. */
  readonly isBlank?: boolean;
  /** The server's values, if they differ. */
  readonly before?: RecordValues;
}

/** The edit of an x2many: changed, new and removed lines. */
export interface LinesEdit {
  readonly kind: 'lines';
  readonly changed: Readonly<Record<number, Values>>;
  readonly created: readonly Line[];
  readonly removed: readonly number[];
  readonly linked: readonly RecordValues[];
}

/** An x2many without edits. */
export const noLinesEdit: LinesEdit = { kind: 'lines', changed: {}, created: [], removed: [], linked: [] };

/** Whether a value is the edit of an x2many. */
export function isLinesEdit(value: unknown): value is LinesEdit {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'lines';
}

/** Whether a field holds several records. */
export function isToMany({ type }: { readonly type: string }): boolean {
  return fieldType(type).isList;
}

/** The server sends lines as records, or as ids if the view shows no field of them. */
export function storedLines(value: unknown): readonly RecordValues[] {
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).map((line) => (typeof line === 'number' ? { id: line } : (line as RecordValues)));
}

/** A value as stored in `base`: for lists, the ids the user saw. */
export function seenValue(value: unknown): unknown {
  return Array.isArray(value) ? storedLines(value).map((line) => line.id) : (value ?? null);
}

/** What is done with records that were chosen for a list: they become the whole list, or are added to it, or are taken out of it. */
export type ListChange = 'set' | 'link' | 'unlink';

/** A value as `write` and `create` take it: chosen records are commands. Every widget tells a list as the records that were chosen. */
export function writtenValue(field: { readonly type: string }, value: unknown, change: ListChange = 'set'): unknown {
  if (!isToMany(field) || !isRecords(value)) return value;
  const ids = value.map(({ id }) => id);
  return change === 'set' ? [['set', ids]] : ids.map((id) => [change, id]);
}

/** Whether a value is a list of records, each with its id. */
export function isRecords(value: unknown): value is readonly RecordValues[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && 'id' in item);
}

const shownBefore = new WeakMap<LinesEdit, { readonly stored: unknown; readonly lines: readonly Line[] }>();
const plainBefore = new WeakMap<object, readonly Line[]>();
const noLines: readonly Line[] = [];
const linesBefore = new WeakMap<object, Line>();

/** The current lines. The same edit gives the same objects, so that only changed rows render again. */
export function shownLines(stored: unknown, edit: LinesEdit): readonly Line[] {
  if (edit === noLinesEdit) return untouchedLines(stored);
  const before = shownBefore.get(edit);
  if (before && before.stored === stored) return before.lines;
  const removed = new Set(edit.removed);
  const kept = [...storedLines(stored), ...edit.linked]
    .filter((line) => !removed.has(line.id))
    .map((line) => lineOf(line, edit.changed[line.id]));
  const lines = [...kept, ...edit.created];
  shownBefore.set(edit, { stored, lines });
  return lines;
}

function untouchedLines(stored: unknown): readonly Line[] {
  if (!Array.isArray(stored)) return noLines;
  const lines = plainBefore.get(stored) ?? storedLines(stored).map((line) => lineOf(line, undefined));
  plainBefore.set(stored, lines);
  return lines;
}

/** Returns the same object for the same values and edit, whatever happens to other lines. */
function lineOf(stored: RecordValues, change: Values | undefined): Line {
  const before = linesBefore.get(change ?? stored);
  if (before && (before.before ?? before.values) === stored) return before;
  const line: Line = change
    ? { key: stored.id, values: { ...stored, ...change }, isNew: false, before: stored }
    : { key: stored.id, values: stored, isNew: false };
  linesBefore.set(change ?? stored, line);
  return line;
}

let lastKey = 0;

/** A key for a line that the server does not know yet. */
export function newLineKey(): number {
  return --lastKey;
}

/** Lines of a draft keep their keys; new lines must not reuse them. */
export function reserveKeys(edit: LinesEdit): void {
  for (const { key } of edit.created) lastKey = Math.min(lastKey, key);
}

/** Adds a new line. */
export function addLine(
  edit: LinesEdit,
  values: Values,
  { key = newLineKey(), isBlank = false }: { readonly key?: number; readonly isBlank?: boolean } = {},
): LinesEdit {
  return { ...edit, created: [...edit.created, { key, values: { ...values, id: key }, isNew: true, isBlank }] };
}

/** Applies user input: the line is no longer blank. */
export function enterInLine(edit: LinesEdit, key: number, values: Values): LinesEdit {
  const isEntered = ({ values: before }: Line) =>
    Object.entries(values).some(([name, value]) => (value ?? '') !== '' || (before[name] ?? '') !== '');
  const created = edit.created.map((line) =>
    line.key === key && line.isBlank && isEntered(line) ? { ...line, isBlank: false } : line,
  );
  return changeLine({ ...edit, created }, key, values);
}

/** Drops lines that were added and left blank. */
export function withoutBlankLines(edit: LinesEdit): LinesEdit {
  if (!edit.created.some((line) => line.isBlank)) return edit;
  return { ...edit, created: edit.created.filter((line) => !line.isBlank) };
}

/** Changes values of a line. */
export function changeLine(edit: LinesEdit, key: number, values: Values): LinesEdit {
  if (key < 0) {
    const created = edit.created.map((line) =>
      line.key === key ? { ...line, values: { ...line.values, ...values, id: key } } : line,
    );
    return { ...edit, created };
  }
  return { ...edit, changed: { ...edit.changed, [key]: { ...edit.changed[key], ...values } } };
}

/** Removes a line. */
export function removeLine(edit: LinesEdit, key: number): LinesEdit {
  if (key < 0) return { ...edit, created: edit.created.filter((line) => line.key !== key) };
  const { [key]: _gone, ...changed } = edit.changed;
  const linked = edit.linked.filter((line) => line.id !== key);
  if (linked.length < edit.linked.length) return { ...edit, linked, changed };
  return { ...edit, changed, removed: [...edit.removed.filter((id) => id !== key), key] };
}

/** Adds an existing record. */
export function linkLine(edit: LinesEdit, record: RecordValues): LinesEdit {
  if (edit.removed.includes(record.id)) return { ...edit, removed: edit.removed.filter((id) => id !== record.id) };
  return { ...edit, linked: [...edit.linked.filter(({ id }) => id !== record.id), record] };
}

/** The edit that replaces the stored records by these, for tags and checkboxes. */
export function chooseRecords(stored: unknown, wanted: readonly RecordValues[]): LinesEdit {
  const before = new Set(storedLines(stored).map((line) => line.id));
  const ids = new Set(wanted.map((line) => line.id));
  return {
    ...noLinesEdit,
    removed: [...before].filter((id) => !ids.has(id)),
    linked: wanted.filter((line) => !before.has(line.id)),
  };
}

/** Without the id and names, which the server does not need. */
export function plainValues(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => name !== 'id' && name !== 'display_name' && !name.includes('.')),
  );
}

export function lineChanges({ changed, created, removed, linked }: LinesEdit): number {
  return Object.keys(changed).length + created.length + removed.length + linked.length;
}

export function hasChanges(edit: LinesEdit): boolean {
  return lineChanges(edit) > 0;
}
