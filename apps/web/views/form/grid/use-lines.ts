import { useMemo, useRef } from 'react';
import { showError } from '../../../data/changes.ts';
import { askLine, askNewLine } from '../../../data/form/line-onchange.ts';
import {
  addLine,
  changeLine,
  isLinesEdit,
  type Line,
  linkLine,
  newLineKey,
  noLinesEdit,
  removeLine,
  shownLines,
} from '../../../data/form/lines.ts';
import { firstRank, moveLine, nextRank, orderedLines } from '../../../data/form/order-lines.ts';
import type { RecordValues, Values } from '../../../data/rpc.ts';
import { busyTimer } from '../../../state/idle.ts';
import { useStorePart } from '../../../state/store.ts';
import { useOpenForm } from '../form-context.ts';
import type { OpenForm } from '../use-form.ts';
import type { GridProps } from './grid-props.ts';

export interface LineActions {
  lines(): readonly Line[];
  /** With `isSettled` the values have been through their onchange already. */
  add(values?: Values, options?: { readonly isSettled?: boolean }): number;
  change(key: number, values: Values): void;
  /** Takes values over that have been through their onchange already. */
  take(key: number, values: Values): void;
  remove(key: number): void;
  duplicate(key: number): number;
  move(from: number, to: number): void;
  link(record: RecordValues): void;
}

const pause = 200;

/** The lines of a list in the order shown, and all that can be done to them. */
export function useLines({ field, node }: GridProps): {
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

function lineActions(
  latest: { readonly current: OpenForm },
  { field, node }: Pick<GridProps, 'field' | 'node'>,
): LineActions {
  const { name } = field;
  const fields = node.fields ?? [];
  const handle = node.list?.handle;
  const isTop = node.list?.editable === 'top';
  const waiting = new Map<number, Set<string>>();
  let cancel: (() => void) | null = null;
  const current = () => {
    const { edits, stored } = latest.current.form.get();
    return orderedLines(linesIn(edits[name], stored[name]), handle, isTop);
  };
  const ask = async () => {
    const { form, workspace, unsettled } = latest.current;
    cancel?.();
    const asked = [...waiting].map(([key, names]) =>
      askLine({ form, workspace, field, fields, key, names: [...names] }).catch(() => {}),
    );
    waiting.clear();
    await Promise.all(asked);
    if (waiting.size === 0) unsettled.delete(ask);
  };
  const changed = (key: number, values: Values) => {
    const names = Object.keys(values);
    const isAsked = names.some((one) => fields.find((each) => each.name === one)?.onchange);
    // What is set beside or after a field that asks is the person's own: the answer must not take it away.
    if (isAsked || waiting.has(key)) waiting.set(key, new Set([...(waiting.get(key) ?? []), ...names]));
    if (!isAsked) return;
    cancel?.();
    latest.current.unsettled.add(ask);
    cancel = busyTimer(() => void ask(), pause);
  };
  const actions: LineActions = {
    lines: current,
    add(values = {}, { isSettled = false } = {}) {
      const key = newLineKey();
      const rank = isTop ? firstRank : nextRank;
      const ranked = handle && values[handle] === undefined ? { [handle]: rank(current(), handle) } : {};
      latest.current.setLines(name, (edit) => addLine(edit, { ...values, ...ranked }, key));
      const { form, workspace } = latest.current;
      if (!isSettled) askNewLine({ form, workspace, field, fields, key }).catch(showError);
      return key;
    },
    change(key, values) {
      latest.current.setLines(name, (edit) => changeLine(edit, key, values));
      changed(key, values);
    },
    take: (key, values) => latest.current.setLines(name, (edit) => changeLine(edit, key, values)),
    remove: (key) => latest.current.setLines(name, (edit) => removeLine(edit, key)),
    duplicate(key) {
      const lines = current();
      const at = lines.findIndex((line) => line.key === key);
      const { id: _id, display_name: _name, ...values } = lines[at]?.values ?? { id: 0 };
      const made = newLineKey();
      const ranked = handle ? { [handle]: nextRank(lines, handle) } : {};
      latest.current.setLines(name, (edit) => addLine(edit, { ...values, ...ranked }, made));
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
