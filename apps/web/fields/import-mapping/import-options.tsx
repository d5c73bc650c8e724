import { t } from '../../i18n/messages.ts';
import type { Batch } from './batch.ts';
import type { ImportState } from './use-import.ts';

const modes: readonly Batch['mode'][] = ['create', 'upsert'];

/** Whether records that are there are updated, and what becomes of bad rows. */
export function ImportOptions({ batch, choose, work }: ImportState) {
  const labels = { create: t('Create'), upsert: t('Create or update') };
  return (
    <div className="import-options">
      <fieldset className="import-modes" disabled={work !== null}>
        <legend className="sr-only">{t('Import as')}</legend>
        {modes.map((mode) => (
          <label key={mode}>
            <input
              type="radio"
              name={`import-mode-${batch.id}`}
              checked={batch.mode === mode}
              onChange={() => choose({ mode })}
            />
            {labels[mode]}
          </label>
        ))}
      </fieldset>
      <label className="import-skip">
        <input
          type="checkbox"
          className="box"
          checked={batch.skipsInvalid}
          disabled={work !== null}
          onChange={(event) => choose({ skipsInvalid: event.target.checked })}
        />
        {t('Skip bad rows')}
        <span className="import-note">{t('Otherwise one bad row stops the whole import.')}</span>
      </label>
    </div>
  );
}
