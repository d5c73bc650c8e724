import { useList } from './list-context.ts';

/** A row that is on its way. Still, not shimmering: there may be dozens in sight while one scrolls. */
export function WaitRow({ row }: { readonly row: number }) {
  const { columns } = useList();
  return (
    <tr aria-rowindex={row + 2} aria-busy="true" className="list-row" data-row={row}>
      <td />
      {columns.map(({ name }) => (
        <td key={name} className="list-waits" />
      ))}
      <td />
    </tr>
  );
}
