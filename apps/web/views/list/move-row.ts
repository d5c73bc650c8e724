import type { WorkspacePayload } from '@kontor/protocol';
import { showError, writeRecords } from '../../data/changes.ts';
import { recall } from '../../data/records.ts';

/** Moves a row, and numbers it and those after it as far as they need other numbers. */
export async function moveRow(
  workspace: WorkspacePayload,
  order: readonly number[],
  id: number,
  steps: number,
): Promise<void> {
  const { model, arch } = workspace;
  const handle = arch.list?.handle;
  if (!handle || !order.includes(id)) return;
  const current = new Map(order.map((one) => [one, Number(recall(model, one)?.[handle] ?? 0)]));
  try {
    for (const [one, value] of renumber(order, current, id, steps)) {
      await writeRecords({ model, ids: [one], values: { [handle]: value } });
    }
  } catch (error) {
    showError(error);
  }
}

/** The numbers that change, so that they rise in the new order. */
export function renumber(
  order: readonly number[],
  current: ReadonlyMap<number, number>,
  id: number,
  steps: number,
): ReadonlyMap<number, number> {
  const from = order.indexOf(id);
  const to = Math.max(0, Math.min(order.length - 1, from + steps));
  const next = order.filter((one) => one !== id);
  next.splice(to, 0, id);
  const changed = new Map<number, number>();
  let last = Math.min(...current.values()) - 1;
  for (const one of from === to ? [] : next) {
    const now = current.get(one) ?? 0;
    const value = one !== id && now > last ? now : last + 1;
    if (value !== now) changed.set(one, value);
    last = value;
  }
  return changed;
}
