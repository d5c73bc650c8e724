import { Fragment } from 'react';
import type { Line } from '../../../data/form/lines.ts';
import { ValueRead } from '../../../fields/value.tsx';
import { type GridColumn, gridTemplate } from './columns.ts';
import { useGrid } from './grid-context.ts';

/** Sums and averages under the columns that ask for them. */
export function GridTotals({ lines }: { readonly lines: readonly Line[] }) {
  const { columns, hasGrip, model } = useGrid();
  if (!columns.some(({ node }) => node.sum || node.avg) || lines.length === 0) return null;
  return (
    <dl className="grid-totals" style={{ gridTemplateColumns: gridTemplate(columns, hasGrip) }}>
      {columns.map((column, at) => {
        const label = column.node.sum ?? column.node.avg;
        if (!label) return null;
        return (
          <div key={column.name} className="grid-total" style={{ gridColumn: at + (hasGrip ? 2 : 1) }}>
            <dt>{label}</dt>
            <dd className="num">
              {byCurrency(column, lines).map(({ currency, own }, index) => (
                <Fragment key={currency}>
                  {index > 0 && ' + '}
                  <ValueRead
                    field={column.field}
                    node={column.node}
                    model={model}
                    record={{ ...own[0]?.values, id: 0, [column.name]: total(column, own) }}
                    place="grid"
                  />
                </Fragment>
              ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Amounts of two currencies have no sum; numbers that are no money do. */
function byCurrency({ field }: GridColumn, lines: readonly Line[]) {
  const currencyOf = ({ values }: Line) => (field.currency ? values[`${field.currency}.display_name`] : '');
  // A line that is not saved yet has the currency of its record.
  const usual = String(lines.map(currencyOf).find((one) => typeof one === 'string') ?? '');
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const currency = String(currencyOf(line) ?? usual);
    const own = groups.get(currency) ?? [];
    groups.set(currency, own);
    own.push(line);
  }
  return [...groups].map(([currency, own]) => ({ currency, own }));
}

const cents = 1e6;

/** In whole millionths, so that money adds up to what it says on paper. */
function total({ name, node }: GridColumn, lines: readonly Line[]): number {
  const sum = lines.reduce((now, { values }) => now + Math.round(Number(values[name] ?? 0) * cents), 0) / cents;
  return node.sum ? sum : sum / lines.length;
}
