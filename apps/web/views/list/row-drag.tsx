import { type RefObject, useEffect, useLayoutEffect } from 'react';
import {
  expireModel,
  insertBefore,
  offerUndo,
  patch,
  recall,
  remember,
  sendChange,
  showError,
  t,
  type WorkspacePayload,
  whileBusy,
} from '../../door/index.ts';
import { useRowDrag } from '../table/use-row-drag.ts';
import { canReorder } from './can-edit.ts';
import { useList } from './list-context.ts';
import type { Rows } from './rows.ts';
import type { ActiveCell } from './use-active-cell.ts';

interface RowDragProps {
  readonly root: RefObject<HTMLElement | null>;
  /** The rows without the preview. */
  readonly rows: Rows;
  readonly active: ActiveCell;
  /** Shows the rows with the preview; null: without. */
  readonly onShow: (rows: Rows | null) => void;
  /** Reports which row is being dragged. */
  readonly onLift: (id: number | null) => void;
}

/** Drags rows of a list that has a handle. Its own chunk, because few lists have one. */
export function RowDrag({ root, rows, active, onShow, onLift }: RowDragProps) {
  const { workspace } = useList();
  const { rows: shown, lifted } = useRowDrag({
    root,
    isEnabled: true,
    label: '',
    rows,
    idsOf: ({ ids }) => ids,
    indexOf: (all, id) => all.indexOf(id),
    withMove,
    nameOf: (id) => String(recall(workspace.model, id)?.display_name ?? ''),
    follow(from, to) {
      const { row, column } = active.cell;
      if (row === from && row !== to) active.move(to, column);
    },
    drop(id, before, to) {
      whileBusy(saveOrder(workspace, rows.ids, id, before)).catch(showError);
      rows.move(id, to);
    },
  });
  useLayoutEffect(() => onShow(shown === rows ? null : shown), [onShow, rows, shown]);
  useEffect(() => onLift(lifted), [onLift, lifted]);
  return null;
}

/** The rows with the dragged one in another position. */
function withMove(rows: Rows, id: number, before: number | null): Rows {
  const ids = insertBefore(rows.ids, id, before);
  const from = rows.indexOf(id);
  const next = before === null ? rows.indexOf(rows.ids.at(-1) ?? id) + 1 : rows.indexOf(before);
  const to = next - (from < next ? 1 : 0);
  // Rows between the two positions shift by one.
  const shift = (index: number, step: number) =>
    index >= Math.min(from, to) && index <= Math.max(from, to) ? index + (from < to ? step : -step) : index;
  return {
    ...rows,
    ids,
    at: (index) => rows.at(index === to ? from : shift(index, 1)),
    indexOf: (one) => (one === id ? to : shift(rows.indexOf(one), -1)),
  };
}

/** Moves a row and renumbers those after it as far as needed: one call, one Undo. */
async function saveOrder(
  workspace: WorkspacePayload,
  order: readonly number[],
  id: number,
  before: number | null,
): Promise<void> {
  const { model, arch } = workspace;
  const handle = arch.list?.handle;
  if (!handle || !canReorder(workspace) || !order.includes(id)) return;
  const current = new Map(order.map((one) => [one, Number(recall(model, one)?.[handle] ?? 0)]));
  const numbers = [...renumber(order, current, id, before)];
  if (numbers.length === 0) return;
  const unpatch = numbers.map(([one, value]) => patch(model, [one], { [handle]: value }));
  const active_ids = numbers.map(([one]) => one).join(',');
  const values = numbers.map(([, value]) => value).join(',');
  const vals = { active_ids, field: handle, values };
  try {
    const { changeSet } = await sendChange({ model, method: 'call', args: [0, 'action_reorder', vals] });
    remember(
      model,
      numbers.map(([one, value]) => ({ id: one, [handle]: value })),
    );
    offerUndo(t('Moved {name}', { name: String(recall(model, id)?.display_name ?? '') }), model, changeSet);
  } catch (error) {
    showError(error);
  } finally {
    for (const take of unpatch) take();
    expireModel(model);
  }
}

/** The sort numbers to change, so that they increase in the new order. */
export function renumber(
  order: readonly number[],
  current: ReadonlyMap<number, number>,
  id: number,
  before: number | null,
): ReadonlyMap<number, number> {
  const next = insertBefore(order, id, before);
  const changed = new Map<number, number>();
  let last = Math.min(...current.values()) - 1;
  for (const one of next.indexOf(id) === order.indexOf(id) ? [] : next) {
    const now = current.get(one) ?? 0;
    const value = one !== id && now > last ? now : last + 1;
    if (value !== now) changed.set(one, value);
    last = value;
  }
  return changed;
}
