import { t } from '@kontor/client';
import type { Mapping } from './matching-data.ts';

interface MappingFormProps {
  readonly headers: readonly string[];
  readonly preview: readonly (readonly string[])[];
  readonly mapping: Mapping;
  readonly onChange: (mapping: Mapping) => void;
}

/** What each column of a CSV file is, above its first rows. It is kept for the account. */
// Over 60 lines: the list of what columns may be, and one table.
export function MappingForm({ headers, preview, mapping, onChange }: MappingFormProps) {
  const roles: readonly (readonly [string, string])[] = [
    ['', t('Leave out')],
    ['date', t('Date')],
    ['value_date', t('Value date')],
    ['amount', t('Amount')],
    ['debit', t('Debit')],
    ['credit', t('Credit')],
    ['direction', t('Debit or credit')],
    ['party', t('Payer or payee')],
    ['iban', t('Their account')],
    ['reference', t('Reference')],
    ['text', t('Text')],
    ['bank_reference', t('Reference of the bank')],
    ['currency', t('Currency')],
  ];
  const change = (header: string, role: string) => {
    const others = Object.entries(mapping.columns).filter(
      ([name, each]) => name !== header && (each !== role || role === 'text'),
    );
    onChange({ ...mapping, columns: Object.fromEntries(role === '' ? others : [...others, [header, role]]) });
  };
  return (
    <div className="stack gap-3">
      <p>{t('Say what the columns are. It is remembered for this account.')}</p>
      <div className="row wrap gap-3">
        <Select
          label={t('Decimal mark')}
          value={mapping.mark}
          options={[
            [',', t('Comma: 1.234,56')],
            ['.', t('Point: 1,234.56')],
          ]}
          onChange={(mark) => onChange({ ...mapping, mark: mark as Mapping['mark'] })}
        />
        <Select
          label={t('Dates')}
          value={mapping.days}
          options={[
            ['dmy', t('Day, month, year')],
            ['ymd', t('Year, month, day')],
            ['mdy', t('Month, day, year')],
          ]}
          onChange={(days) => onChange({ ...mapping, days: days as Mapping['days'] })}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <div className="scroll framed round-m" tabIndex={0}>
        <table className="small">
          <thead>
            <tr>
              {headers.map((header) => (
                <th key={header} scope="col" className="start pad-2">
                  <span className="block cut below-2">{header}</span>
                  <Select
                    label={header}
                    isLabelHidden
                    value={mapping.columns[header] ?? ''}
                    options={roles}
                    onChange={(role) => change(header, role)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {preview.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a file never move.
              <tr key={row}>
                {headers.map((header, index) => (
                  <td key={header} className="pad-2 nowrap topped">
                    <bdi>{cells[index]?.slice(0, 60)}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

interface SelectProps {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly value: string;
  readonly options: readonly (readonly [string, string])[];
  readonly onChange: (value: string) => void;
}

function Select({ label, isLabelHidden = false, value, options, onChange }: SelectProps) {
  return (
    <label className="row gap-1h">
      <span className={isLabelHidden ? 'sr-only' : ''}>{label}</span>
      <select className="input" aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
