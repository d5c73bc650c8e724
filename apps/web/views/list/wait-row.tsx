import { Skeleton } from '../../ui/parts.tsx';
import { useList } from './list-context.ts';

const widths = ['72%', '54%', '63%', '48%', '58%'];

/** A row that is on its way. */
export function WaitRow({ row }: { readonly row: number }) {
  const { columns } = useList();
  return (
    <tr aria-rowindex={row + 2} aria-busy="true" className="list-row" data-row={row}>
      <td />
      {columns.map(({ name }, at) => (
        <td key={name} className="list-cell">
          <Skeleton width={widths[(row + at) % widths.length] as string} />
        </td>
      ))}
      <td />
    </tr>
  );
}
