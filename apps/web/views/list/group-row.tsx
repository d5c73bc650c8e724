import type { GroupRow as GroupData } from '@kontor/protocol';
import type { CSSProperties } from 'react';
import { t } from '../../i18n/messages.ts';
import { formatInteger } from '../../i18n/numbers.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Money } from '../money.ts';
import type { Column } from './columns.ts';
import { groupName } from './group-label.ts';
import { useList } from './list-context.ts';
import { totalText } from './total-text.ts';

interface GroupRowProps {
  readonly groupBy: string;
  readonly group: GroupData;
  readonly depth: number;
  readonly row: number;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly money?: Money | undefined;
}

/** A group with its count and subtotals. The name spans the columns before the first subtotal. */
export function GroupRow({ groupBy, group, depth, row, isOpen, isActive, money }: GroupRowProps) {
  const { workspace, columns } = useList();
  const { arch } = workspace;
  const span = Math.max(1, firstSum(columns, group));
  return (
    <tr aria-rowindex={row + 2} aria-expanded={isOpen} aria-level={depth + 1} data-row={row} className="list-group">
      <td aria-colindex={1} />
      <td
        aria-colindex={2}
        data-col={0}
        colSpan={span}
        tabIndex={isActive ? 0 : -1}
        className="list-cell"
        style={{ '--depth': depth } as CSSProperties}
      >
        <Icon name="chevron-right" size={14} className={`list-chevron ${isOpen ? 'is-open' : ''}`} />
        {groupName(arch, groupBy, group)}
        <span className="list-count">
          <span className="sr-only">{t('Records')}: </span>
          {formatInteger(Number(group.__count))}
        </span>
      </td>
      {columns.slice(span).map((column, at) => (
        <TotalCell key={column.name} at={span + at} text={totalText(workspace, column, group[column.name], money)} />
      ))}
      <td aria-colindex={columns.length + 2} />
    </tr>
  );
}

function TotalCell({ at, text }: { readonly at: number; readonly text: string }) {
  return (
    <td aria-colindex={at + 2} className="list-cell num list-total" title={text}>
      <span>{text}</span>
    </td>
  );
}

function firstSum(columns: readonly Column[], group: GroupData): number {
  const at = columns.findIndex(({ node, name }) => (node.sum ?? node.avg) !== undefined && name in group);
  return at < 0 ? columns.length : at;
}
