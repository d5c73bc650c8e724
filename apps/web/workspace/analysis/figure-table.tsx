import { t } from '../../i18n/messages.ts';
import type { Sheet, SheetCell } from './sheet.ts';

interface FigureTableProps {
  readonly sheet: Sheet;
  /** For screen readers only, beside a chart that shows the same. */
  readonly isHidden?: boolean;
}

/** The figures of a chart as a table. */
export function FigureTable({ sheet, isHidden = false }: FigureTableProps) {
  const { title, head, rows, names } = sheet;
  return (
    <div
      className={isHidden ? 'sr-only' : 'scroll share figures'}
      {...(isHidden ? {} : { role: 'region', 'aria-label': title, tabIndex: 0 })}
    >
      <table className="separate least-full">
        <caption className={isHidden ? '' : 'sr-only'}>{title}</caption>
        <thead>
          <tr>
            {head.map(({ key, label }, at) => (
              <th
                key={key}
                scope="col"
                className={`stick at-top above surface small medium mut ${at < names ? '' : 'num'}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className={row.isTotal ? 'figures-total' : ''}>
              {row.cells.map((cell, at) => (
                <Cell key={head[at]?.key} cell={cell} isName={at < names} isHidden={isHidden} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell({
  cell,
  isName,
  isHidden,
}: {
  readonly cell: SheetCell;
  readonly isName: boolean;
  readonly isHidden: boolean;
}) {
  const text = cell.text ?? String(cell.value ?? '');
  if (isName)
    return (
      <th scope="row" className="regular">
        {text}
      </th>
    );
  return (
    <td className="num">
      {cell.open && !isHidden && text !== '' ? (
        <button type="button" className="least-24 accents underlines" title={t('Open the records')} onClick={cell.open}>
          {text}
        </button>
      ) : (
        text
      )}
    </td>
  );
}
