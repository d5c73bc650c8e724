import { useId } from 'react';
import { mark, t } from '../../i18n/messages.ts';
import { Labelled } from '../../ui/labelled.tsx';
import { type ExportChoice, pageSizes } from './export-choice.ts';

const formats = [
  ['csv', mark('CSV, for spreadsheets and imports')],
  ['pdf', mark('PDF, for printing')],
] as const;

const sizeNames = { a4: 'A4', legal: 'Legal', letter: 'Letter' } as const;

interface FormatFieldsProps {
  readonly choice: ExportChoice;
  readonly onChange: (change: Partial<ExportChoice>) => void;
}

/** What kind of file it is to be. */
export function FormatFields({ choice, onChange }: FormatFieldsProps) {
  const name = useId();
  return (
    <fieldset className="export-format">
      <legend>{t('Format')}</legend>
      {formats.map(([format, label]) => (
        <label key={format} className="export-option">
          <input
            type="radio"
            name={name}
            checked={choice.format === format}
            onChange={() => onChange({ format })}
            autoFocus={choice.format === format}
          />
          {t(label)}
        </label>
      ))}
      {choice.format === 'csv' ? (
        <label className="export-option export-detail">
          <input
            type="checkbox"
            checked={choice.isForImport}
            onChange={(event) => onChange({ isForImport: event.target.checked })}
          />
          <span>
            {t('Can be imported again')}
            <small>{t('With ids for records and relations; otherwise with the names of relations.')}</small>
          </span>
        </label>
      ) : (
        <div className="export-detail">
          <Labelled label={t('Paper')}>
            {(props) => (
              <select
                {...props}
                className="input"
                value={choice.pageSize}
                onChange={(event) => onChange({ pageSize: event.target.value as ExportChoice['pageSize'] })}
              >
                {pageSizes.map((size) => (
                  <option key={size} value={size}>
                    {sizeNames[size]}
                  </option>
                ))}
              </select>
            )}
          </Labelled>
        </div>
      )}
    </fieldset>
  );
}
