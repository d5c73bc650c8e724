import { memo } from 'react';
import {
  type Arch,
  formatInteger,
  type Money,
  moneyOf,
  moneyText,
  t,
  tn,
  type WorkspacePayload,
} from '../../door/index.ts';
import type { Column } from '../table/columns.ts';
import { useList } from './list-context.ts';

export function hasTotals({ totals }: Arch): boolean {
  return totals !== undefined && Object.keys(totals).length > 0;
}

/** Totals of all matching records, not only of the loaded ones. */
export const Footer = memo(function Footer() {
  const { workspace, columns } = useList();
  const { arch, listTotal } = workspace;
  const totals = arch.totals;
  if (!totals || !hasTotals(arch)) return null;
  const firstTotal = columns.findIndex(({ name }) => name in totals);
  const span = firstTotal < 0 ? columns.length : Math.max(1, firstTotal);
  return (
    <tfoot>
      <tr>
        <td />
        <td colSpan={span} className="list-cell">
          {tn('{n} record', '{n} records', listTotal, { n: formatInteger(listTotal) })}
          {arch.moneyIn && ` · ${t('Converted to {code} at stored rates', arch.moneyIn)}`}
        </td>
        {columns.slice(span).map((column) => {
          const text = totalText(workspace, column, totals[column.name], arch.money);
          return (
            <td key={column.name} className="list-cell num list-total" title={text}>
              <span className="line end">{text}</span>
            </td>
          );
        })}
        <td />
      </tr>
    </tfoot>
  );
});

/** A sum or an average, formatted as in its column; amounts in several currencies as one sum per currency. */
export function totalText(
  workspace: WorkspacePayload,
  { name, field, node, widget }: Column,
  value: unknown,
  money?: Money,
): string {
  if ((node.sum ?? node.avg) === undefined) return '';
  const totals = money?.[name];
  if (totals) return moneyText(totals);
  if (value === null || value === undefined) return '';
  if (workspace.arch.money?.[name]) {
    const own = moneyOf(workspace, name, value);
    return own ? moneyText(own) : '…';
  }
  return widget.toText({ field, node, model: workspace.model, value, record: { id: 0 }, place: 'list' });
}
