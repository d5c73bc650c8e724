import { fieldType } from '@kontor/protocol';
import { useId } from 'react';
import { formatDate, formatDateTime } from '../../i18n/dates.ts';
import { t, tn } from '../../i18n/messages.ts';
import { formatDecimal } from '../../i18n/numbers.ts';
import { Icon } from '../../ui/icon.tsx';
import type { FieldEditProps } from '../define-field.ts';
import './comparison.css';

/** As the server tells it; `chosen` is what the person adds. */
interface Comparison {
  readonly keep: number;
  readonly records: readonly { readonly id: number; readonly name: string }[];
  readonly rows: readonly Row[];
  readonly moves: readonly { readonly label: string; readonly counts: readonly number[] }[];
  readonly chosen?: Readonly<Record<string, number>>;
}

interface Row {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly values: readonly unknown[];
  readonly kept: 'choice' | 'first' | 'further' | 'all';
}

/** Records beside each other before they are merged: what is kept of each field, by choice where they differ, and what moves. */
export function ComparisonEdit({ value, record, node, label, onChange }: FieldEditProps) {
  const id = useId();
  if (!isComparison(value))
    return <p className="mut">{t('Choose two records or more to see what is kept of each.')}</p>;
  const { records, rows, moves } = value;
  const beside = node.options?.keep;
  const named = typeof beside === 'string' ? record[beside] : value.keep;
  const keep = typeof named === 'number' && records.some((one) => one.id === named) ? named : value.keep;
  const choose = (name: string, from: number) => onChange({ ...value, chosen: { ...value.chosen, [name]: from } });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    <div className="scroll above-2 framed round-m comparison" tabIndex={0} role="region" aria-label={label}>
      <table className="full">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            <th scope="col">{t('Field')}</th>
            {records.map((one) => (
              <th key={one.id} scope="col" className={one.id === keep ? 'tinted comparison-keep' : ''}>
                <bdi className="break">{one.name}</bdi>
                <span className="small mut block">{one.id === keep ? t('Is kept') : t('Is deleted')}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <FieldRow
              key={row.name}
              {...{ row, records }}
              group={`${id}-${row.name}`}
              from={keptFrom(value, row, keep)}
              keep={keep}
              onChoose={(from) => choose(row.name, from)}
            />
          ))}
        </tbody>
        {moves.length > 0 && <Moves {...{ moves, records, keep }} />}
      </table>
    </div>
  );
}

interface FieldRowProps {
  readonly row: Row;
  readonly records: Comparison['records'];
  readonly group: string;
  /** The ids of the records whose value is kept. */
  readonly from: readonly number[];
  readonly keep: number;
  readonly onChoose: (id: number) => void;
}

function FieldRow({ row, records, group, from, keep, onChoose }: FieldRowProps) {
  const texts = row.values.map((value) => textOf(row, value));
  const isSame = new Set(texts.filter((text) => text !== '')).size < 2;
  // Nothing changes in the kept record.
  const isCalm = isSame && from.includes(keep);
  const canChoose = !isSame && (row.kept === 'choice' || row.kept === 'further');
  return (
    <tr className={isCalm ? 'mut' : ''}>
      <th scope="row" className="medium mut">
        {row.label}
      </th>
      {records.map(({ id, name }, index) => {
        const text = texts[index] ?? '';
        const isKept = text !== '' && from.includes(id);
        const shown = <bdi className="break">{text}</bdi>;
        return (
          <td key={id} className={isKept && !isCalm ? 'bg-ok-soft' : ''}>
            {canChoose && text !== '' ? (
              <label className="line gap-2">
                <input
                  type="radio"
                  name={group}
                  checked={isKept}
                  aria-label={t('{label} of {name}: {text}', { label: row.label, name, text })}
                  onChange={() => onChoose(id)}
                />
                {shown}
              </label>
            ) : (
              shown
            )}
            {!isSame && text !== '' && <Fate {...{ row, isKept }} />}
          </td>
        );
      })}
    </tr>
  );
}

/** What becomes of a value, where the choice does not say it. */
function Fate({ row, isKept }: { readonly row: Row; readonly isKept: boolean }) {
  const said =
    row.kept === 'all' ? t('Kept as well') : row.kept === 'further' && !isKept ? t('Kept as a further one') : '';
  return said === '' ? null : <span className="small mut block">{said}</span>;
}

function Moves({ moves, records, keep }: Pick<Comparison, 'moves' | 'records'> & { readonly keep: number }) {
  const kept = records.find(({ id }) => id === keep)?.name ?? '';
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={records.length + 1} className="sunken strong">
          {t('Moves to {name}', { name: kept })}
        </th>
      </tr>
      {moves.map(({ label, counts }) => (
        <tr key={label}>
          <th scope="row" className="medium mut">
            {label}
          </th>
          {records.map(({ id }, index) => {
            const count = counts[index] ?? 0;
            return (
              <td key={id}>
                {count > 0 && (
                  <span className="line gap-2">
                    {id !== keep && <Icon name="arrow-right" size={14} className="dim" />}
                    {tn('{n} record', '{n} records', count)}
                  </span>
                )}
              </td>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}

/** The records whose value the kept one then has. */
function keptFrom({ records, chosen }: Comparison, { name, values, kept }: Row, keep: number): readonly number[] {
  const filled = records.filter((_, index) => values[index] !== null && values[index] !== undefined);
  if (kept === 'all') return filled.map(({ id }) => id);
  const wanted = chosen?.[name];
  if (wanted !== undefined && filled.some(({ id }) => id === wanted)) return [wanted];
  const own = filled.find(({ id }) => id === keep) ?? filled[0];
  return own ? [own.id] : [];
}

function textOf({ type }: Row, value: unknown): string {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  const { isDate, isInstant, isNumber } = fieldType(type);
  if (isDate) return isInstant ? formatDateTime(String(value)) : formatDate(String(value));
  if (isNumber) return formatDecimal(value as number | string);
  return String(value);
}

function isComparison(value: unknown): value is Comparison {
  return typeof value === 'object' && value !== null && 'records' in value && 'rows' in value;
}
