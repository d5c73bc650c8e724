import type { Arch } from '@kontor/protocol';
import { tn } from '../../i18n/messages.ts';
import { formatInteger } from '../../i18n/numbers.ts';
import { useList } from './list-context.ts';
import { totalText } from './total-text.ts';

export function hasTotals({ totals }: Arch): boolean {
  return totals !== undefined && Object.keys(totals).length > 0;
}

/** Sums over all that matches, not only what is loaded. */
export function Footer() {
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
        </td>
        {columns.slice(span).map((column) => {
          const text = totalText(workspace, column, totals[column.name], arch.money);
          return (
            <td key={column.name} className="list-cell num list-total" title={text}>
              <span>{text}</span>
            </td>
          );
        })}
        <td />
      </tr>
    </tfoot>
  );
}
