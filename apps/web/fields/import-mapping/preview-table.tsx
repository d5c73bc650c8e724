import type { BadCell } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import type { Batch } from './batch.ts';

interface PreviewTableProps {
  readonly batch: Batch;
  readonly errors: readonly BadCell[];
}

/** The first rows as they will be imported, with invalid cells marked. */
export function PreviewTable({ batch, errors }: PreviewTableProps) {
  const columns = batch.headers.map((header, index) => ({ header, index, field: fieldOf(batch, header) }));
  const byCell = new Map<string, string>();
  for (const { row, column, message } of errors) {
    const key = `${row}/${column}`;
    byCell.set(key, [byCell.get(key), message].filter(Boolean).join(' '));
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <div className="scroll panel import-scroll" tabIndex={0} role="region" aria-label={t('First rows')}>
      <table className="full start import-preview">
        <caption className="sr-only">{t('First rows')}</caption>
        <thead>
          <tr>
            <th className="small semi mut nowrap sunken lined" scope="col">
              {t('Row')}
            </th>
            {columns.map(({ header, field }) => (
              <th
                key={header}
                scope="col"
                className={`small semi mut nowrap sunken lined ${field ? '' : 'import-unmapped'}`}
              >
                <bdi>{field ?? header}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {batch.preview.map((cells, at) => {
            const row = at + 2;
            if (cells.length === 0) return null;
            return (
              <tr key={row}>
                <th scope="row">{row}</th>
                {columns.map(({ header, index, field }) => (
                  <PreviewCell
                    key={header}
                    text={cells[index] ?? ''}
                    isMapped={field !== undefined}
                    problem={byCell.get(`${row}/${header}`)}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function PreviewCell(props: {
  readonly text: string;
  readonly isMapped: boolean;
  readonly problem: string | undefined;
}) {
  const { text, isMapped, problem } = props;
  if (problem === undefined) return <td className={isMapped ? '' : 'import-unmapped'}>{text}</td>;
  return (
    <td className="bad import-bad" title={problem}>
      {text === '' ? t('empty') : text}
      <span className="tiny block regular">{problem}</span>
    </td>
  );
}

function fieldOf({ mapping, targets }: Batch, header: string): string | undefined {
  return targets.find(({ name }) => name === mapping[header])?.label;
}
