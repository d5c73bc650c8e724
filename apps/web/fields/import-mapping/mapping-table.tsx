import { useId } from 'react';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { samplesOf } from './batch.ts';
import { FieldChoice } from './field-choice.tsx';
import type { ImportState } from './use-import.ts';

/** Each column of the file, what stands in it, and the field that it goes to. */
export function MappingTable({ batch, verdict, map }: ImportState) {
  const id = useId();
  const bad = new Set(verdict?.errors.map(({ column }) => column));
  return (
    <table className="import-map">
      <caption className="sr-only">{t('Columns and their fields')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('Column')}</th>
          <th scope="col">{t('In the file')}</th>
          <th scope="col">{t('Goes to')}</th>
        </tr>
      </thead>
      <tbody>
        {batch.headers.map((header, index) => {
          const isMapped = batch.mapping[header] !== undefined;
          return (
            <tr key={header} className={isMapped ? '' : 'import-unmapped'}>
              <th scope="row">
                <bdi>{header}</bdi>
              </th>
              <td className="import-samples">
                {samplesOf(batch, index).map((sample) => (
                  <bdi key={sample}>{sample}</bdi>
                ))}
              </td>
              <td>
                <span className="import-goes">
                  <Icon name="arrow-right" className="import-arrow" />
                  <FieldChoice
                    id={`${id}-${index}`}
                    {...{ header, batch }}
                    isInvalid={bad.has(header)}
                    onChoose={(field) => map(header, field)}
                  />
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
