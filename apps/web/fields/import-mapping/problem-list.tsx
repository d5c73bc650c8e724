import type { BadCell } from '@kontor/protocol';
import { t, tn } from '../../i18n/messages.ts';
import type { Batch } from './batch.ts';

interface ProblemListProps {
  readonly batch: Batch;
  readonly errors: readonly BadCell[];
}

const shown = 200;

/** Every bad cell by row, column and reason. */
export function ProblemList({ batch, errors }: ProblemListProps) {
  const rest = errors.length - shown;
  return (
    <div className="import-problems">
      <h2 id={`import-problems-${batch.id}`}>{tn('{n} bad cell', '{n} bad cells', errors.length)}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <div className="import-scroll" tabIndex={0} role="region" aria-labelledby={`import-problems-${batch.id}`}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Row')}</th>
              <th scope="col">{t('Column')}</th>
              <th scope="col">{t('What is wrong')}</th>
            </tr>
          </thead>
          <tbody>
            {errors.slice(0, shown).map(({ row, column, message }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: one cell may have two messages; the list never changes.
              <tr key={index}>
                <td>{row}</td>
                <td>
                  <bdi>{labelOf(batch, column)}</bdi>
                </td>
                <td>{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rest > 0 && <p className="import-note">{tn('and {n} more', 'and {n} more', rest)}</p>}
    </div>
  );
}

/** A field that no column is mapped to is told by its name; people know its label. */
function labelOf({ headers, targets }: Batch, column: string): string {
  if (headers.includes(column)) return column;
  return targets.find(({ name }) => name === column)?.label ?? column;
}
