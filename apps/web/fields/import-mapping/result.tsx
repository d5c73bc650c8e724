import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import type { Batch } from './batch.ts';
import { ProblemList } from './problem-list.tsx';

/** What became of a batch that is over. */
export function ImportResult({ batch }: { readonly batch: Batch }) {
  const { imported, updated, skipped, errors, next, state } = batch;
  const counts = [
    { label: t('Imported'), count: imported },
    { label: t('Updated'), count: updated },
    { label: t('Skipped'), count: skipped },
  ];
  if (state === 'cancelled') {
    return (
      <EmptyState icon="x" title={t('This import was cancelled.')} next={<Back href={next} />}>
        <p>{t('Nothing was written.')}</p>
      </EmptyState>
    );
  }
  return (
    <div className="import">
      <dl className="import-counts">
        {counts.map(({ label, count }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{count}</dd>
          </div>
        ))}
      </dl>
      <div className="import-buttons">
        <Back href={next} />
        {skipped > 0 && (
          <a className="btn btn-default" href={`/web/bulk/rejects?id=${batch.id}`} download>
            <Icon name="download" />
            {t('Download the rows that were skipped')}
          </a>
        )}
      </div>
      {errors.length > 0 && <ProblemList batch={batch} errors={errors} />}
    </div>
  );
}

function Back({ href }: { readonly href: string }) {
  return (
    <a className="btn btn-primary" href={href}>
      {t('Show the records')}
    </a>
  );
}
