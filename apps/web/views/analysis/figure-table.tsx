import { t } from '../../i18n/messages.ts';

export interface SheetCell {
  /** As a file has it: a number, the digits of a decimal, or a text. */
  readonly value: string | number | null;
  /** As the screen has it; the value when absent. */
  readonly text?: string;
  /** Where the records behind it are. */
  readonly open?: () => void;
}

export interface SheetColumn {
  readonly key: string;
  readonly label: string;
}

export interface SheetRow {
  readonly key: string;
  readonly cells: readonly SheetCell[];
  readonly isTotal?: boolean;
}

/** Figures as a table: on screen, for those who cannot see a chart, and in a file. */
export interface Sheet {
  /** Says what is measured by what; also the name of the file. */
  readonly title: string;
  readonly head: readonly SheetColumn[];
  readonly rows: readonly SheetRow[];
  /** How many columns in front name the row; the others are numbers. */
  readonly names: number;
}

interface FigureTableProps {
  readonly sheet: Sheet;
  /** Beside a chart that shows the same: for screen readers alone. */
  readonly isHidden?: boolean;
}

export function FigureTable({ sheet, isHidden = false }: FigureTableProps) {
  const { title, head, rows, names } = sheet;
  return (
    <div
      className={isHidden ? 'sr-only' : 'figures'}
      {...(isHidden ? {} : { role: 'region', 'aria-label': title, tabIndex: 0 })}
    >
      <table>
        <caption className={isHidden ? '' : 'sr-only'}>{title}</caption>
        <thead>
          <tr>
            {head.map(({ key, label }, at) => (
              <th key={key} scope="col" className={at < names ? '' : 'num'}>
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
  if (isName) return <th scope="row">{text}</th>;
  return (
    <td className="num">
      {cell.open && !isHidden && text !== '' ? (
        <button type="button" className="figures-open" title={t('Open the records')} onClick={cell.open}>
          {text}
        </button>
      ) : (
        text
      )}
    </td>
  );
}
