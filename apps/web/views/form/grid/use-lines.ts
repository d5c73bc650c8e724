import { useMemo, useRef } from 'react';
import {
  type ArchField,
  addLine,
  busyTimer,
  changeLine,
  enterInLine,
  type FieldNode,
  isLinesEdit,
  type Line,
  type LinesEdit,
  linkLine,
  loadLineDefaults,
  newLineKey,
  noLinesEdit,
  type RecordValues,
  readLineDefaults,
  removeLine,
  runLineOnchange,
  showError,
  shownLines,
  useStorePart,
  type Values,
} from '../../../door/index.ts';
import { type OpenForm, useOpenForm } from '../use-form.ts';

interface LinesSpec {
  readonly field: ArchField;
  readonly node: FieldNode;
}

interface AddOptions {
  readonly isSettled?: boolean;
  /** Without any input yet: it is not saved if it stays that way. */
  readonly isBlank?: boolean;
}

export interface LineActions {
  lines(): readonly Line[];
  /** With `isSettled`, onchange has already been applied to the values. */
  add(values?: Values, options?: AddOptions): number;
  /** Adds new lines with the same defaults, and asks what follows from their values. */
  addMany(rows: readonly Values[]): Promise<void>;
  change(key: number, values: Values): void;
  /** Applies values that have already been through onchange. */
  take(key: number, values: Values): void;
  remove(key: number): void;
  duplicate(key: number): number;
  move(from: number, to: number): void;
  link(record: RecordValues): void;
}

const pause = 200;

/** The lines of a list in display order, and the operations on them. */
export function useLines({ field, node }: LinesSpec): {
  readonly lines: readonly Line[];
  readonly actions: LineActions;
} {
  const open = useOpenForm();
  const latest = useRef(open);
  latest.current = open;
  const handle = node.list?.handle;
  const plain = useStorePart(open.form, (state) => linesIn(state.edits[field.name], state.stored[field.name]));
  const isTop = node.list?.editable === 'top';
  const lines = useMemo(() => orderedLines(plain, handle, isTop), [plain, handle, isTop]);
  const actions = useMemo(() => lineActions(latest, { field, node }), [field, node]);
  return { lines, actions };
}

function linesIn(edit: unknown, stored: unknown): readonly Line[] {
  return shownLines(stored, isLinesEdit(edit) ? edit : noLinesEdit);
}

/** Runs onchange for changed lines, a moment after the last change. Returns the function that reports a change. */
function lineQuestions(latest: { readonly current: OpenForm }, field: ArchField, fields: readonly ArchField[]) {
  const waiting = new Map<number, Set<string>>();
  let cancel: (() => void) | null = null;
  const ask = async () => {
    const { form, workspace, unsettled } = latest.current;
    cancel?.();
    const asked = [...waiting].map(([key, names]) =>
      runLineOnchange({ form, workspace, field, fields, key, names: [...names] }).catch(() => {}),
    );
    waiting.clear();
    await Promise.all(asked);
    // The line's onchange may affect the totals of the record.
    latest.current.setLines(field.name, (edit) => edit);
    if (waiting.size === 0) unsettled.delete(ask);
  };
  return (key: number, values: Values) => {
    const names = Object.keys(values);
    const isAsked = names.some((one) => fields.find((each) => each.name === one)?.onchange);
    // Fields that are set with or after one that has an onchange: the answer must not overwrite them.
    if (isAsked || waiting.has(key)) waiting.set(key, new Set([...(waiting.get(key) ?? []), ...names]));
    if (!isAsked) return;
    cancel?.();
    latest.current.unsettled.add(ask);
    cancel = busyTimer(() => void ask(), pause);
  };
}

function lineActions(latest: { readonly current: OpenForm }, { field, node }: LinesSpec): LineActions {
  const { name } = field;
  const fields = node.fields ?? [];
  const handle = node.list?.handle;
  const isTop = node.list?.editable === 'top';
  const current = () => {
    const { edits, stored } = latest.current.form.get();
    return orderedLines(linesIn(edits[name], stored[name]), handle, isTop);
  };
  const changed = lineQuestions(latest, field, fields);
  const actions: LineActions = {
    lines: current,
    add(values = {}, { isSettled = false, isBlank = Object.keys(values).length === 0 } = {}) {
      const key = newLineKey();
      const rank = isTop ? firstRank : nextRank;
      const ranked = handle && values[handle] === undefined ? { [handle]: rank(current(), handle) } : {};
      latest.current.setLines(name, (edit) => addLine(edit, { ...values, ...ranked }, { key, isBlank }));
      const { form, workspace } = latest.current;
      if (!isSettled) latest.current.hold(loadLineDefaults({ form, workspace, field, fields, key }).catch(showError));
      return key;
    },
    async addMany(rows) {
      const { form, workspace } = latest.current;
      const defaults = await readLineDefaults({ form, workspace, field, fields });
      for (const values of rows) {
        const key = actions.add({ ...defaults, ...values }, { isSettled: true });
        changed(key, values);
      }
    },
    change(key, values) {
      latest.current.setLines(name, (edit) => enterInLine(edit, key, values));
      changed(key, values);
    },
    take: (key, values) => latest.current.setLines(name, (edit) => enterInLine(edit, key, values)),
    remove: (key) => latest.current.setLines(name, (edit) => removeLine(edit, key)),
    duplicate(key) {
      const lines = current();
      const at = lines.findIndex((line) => line.key === key);
      const { id: _id, display_name: _name, ...values } = lines[at]?.values ?? { id: 0 };
      const made = newLineKey();
      const ranked = handle ? { [handle]: nextRank(lines, handle) } : {};
      latest.current.setLines(name, (edit) => addLine(edit, { ...values, ...ranked }, { key: made }));
      if (handle) actions.move(lines.length, at + 1);
      return made;
    },
    move(from, to) {
      if (!handle || to < 0 || to >= current().length) return;
      latest.current.setLines(name, (edit) => moveLine(edit, current(), { from, to, handle }));
    },
    link: (record) => latest.current.setLines(name, (edit) => linkLine(edit, record)),
  };
  return actions;
}

const step = 10;

/** Sorted by the handle field; lines without a value stay at the end. With `isTop` the newest is first. */
export function orderedLines(lines: readonly Line[], handle: string | undefined, isTop = false): readonly Line[] {
  if (handle === undefined && isTop && lines.some((line) => line.isNew)) {
    return [...lines.filter((line) => line.isNew).reverse(), ...lines.filter((line) => !line.isNew)];
  }
  if (handle === undefined) return lines;
  return [...lines].sort((a, b) => rank(a.values, handle) - rank(b.values, handle));
}

/** Moves a line: assigns a number between its new neighbours if there is one, otherwise renumbers all lines. */
export function moveLine(
  edit: LinesEdit,
  lines: readonly Line[],
  { from, to, handle }: { readonly from: number; readonly to: number; readonly handle: string },
): LinesEdit {
  const moved = lines[from];
  if (!moved || from === to) return edit;
  const order = lines.filter((line) => line !== moved);
  order.splice(to, 0, moved);
  const before = to === 0 ? -1 : rank((order[to - 1] as Line).values, handle);
  const after = to === order.length - 1 ? before + 2 * step : rank((order[to + 1] as Line).values, handle);
  const between = Math.floor((before + after) / 2);
  if (Number.isFinite(between) && between > before && between < after) {
    return changeLine(edit, moved.key, { [handle]: between });
  }
  return order.reduce((result, line, index) => {
    const number = (index + 1) * step;
    return line.values[handle] === number ? result : changeLine(result, line.key, { [handle]: number });
  }, edit);
}

/** A sort number before all other lines. */
function firstRank(lines: readonly Line[], handle: string): number {
  const numbers = lines.map((line) => rank(line.values, handle)).filter(Number.isFinite);
  return numbers.length === 0 ? step : Math.min(...numbers) - step;
}

/** A sort number after all other lines. */
function nextRank(lines: readonly Line[], handle: string): number {
  return lines.reduce((last, line) => Math.max(last, Number(line.values[handle] ?? 0)), 0) + step;
}

function rank(values: Values, handle: string): number {
  const number = values[handle];
  return typeof number === 'number' ? number : Number.POSITIVE_INFINITY;
}
