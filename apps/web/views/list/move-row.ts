import type { WorkspacePayload } from '@kontor/protocol';
import { offerUndo, sendChange, showError } from '../../data/changes.ts';
import { patch, recall, remember } from '../../data/records.ts';
import { expireModel } from '../../data/workspace-cache.ts';
import { t } from '../../i18n/messages.ts';
import { canReorder } from './can-edit.ts';

/** Moves a row, and numbers it and those after it as far as they need other numbers: one call, one Undo. */
export async function moveRow(
  workspace: WorkspacePayload,
  order: readonly number[],
  id: number,
  steps: number,
): Promise<void> {
  const { model, arch } = workspace;
  const handle = arch.list?.handle;
  if (!handle || !canReorder(workspace) || !order.includes(id)) return;
  const current = new Map(order.map((one) => [one, Number(recall(model, one)?.[handle] ?? 0)]));
  const numbers = [...renumber(order, current, id, steps)];
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
