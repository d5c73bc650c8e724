import type { WorkspacePayload } from '@kontor/protocol';
import { type Money, moneyOf, moneyText } from '../money.ts';
import type { Column } from './columns.ts';

/** A sum or an average, as its column shows numbers; money of several currencies as one sum for each. */
export function totalText(
  workspace: WorkspacePayload,
  { name, field, node, widget }: Column,
  value: unknown,
  money?: Money,
): string {
  if ((node.sum ?? node.avg) === undefined || value === null || value === undefined) return '';
  if (workspace.arch.money?.[name]) {
    const totals = money?.[name] ?? moneyOf(workspace, name, value);
    return totals ? moneyText(totals) : '…';
  }
  return widget.toText({ field, node, model: workspace.model, value, record: { id: 0 }, place: 'list' });
}
