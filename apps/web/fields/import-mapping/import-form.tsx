import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { missingFields, needsKey } from './batch.ts';
import { ImportOptions } from './import-options.tsx';
import { MappingTable } from './mapping-table.tsx';
import { PreviewTable } from './preview-table.tsx';
import { ProblemList } from './problem-list.tsx';
import { ImportResult } from './result.tsx';
import { type ImportState, useImport } from './use-import.ts';
import './styles.css';

/** The mapping form of an import: columns to fields, a look at the rows, a check, the import, and what came of it. */
export function ImportForm({ record }: FieldReadProps) {
  const state = useImport(record);
  const { batch, verdict } = state;
  if (batch.state === 'done' || batch.state === 'cancelled') return <ImportResult batch={batch} />;
  return (
    <div className="import" aria-busy={state.work !== null || undefined}>
      <p className="import-lead">
        {tn('The file has {n} row.', 'The file has {n} rows.', batch.total)}{' '}
        {t('Say where each column goes, have it checked, and import it.')}
      </p>
      <ImportOptions {...state} />
      <Needs {...state} />
      <MappingTable {...state} />
      <Actions {...state} />
      {verdict && verdict.errors.length > 0 && <ProblemList batch={batch} errors={verdict.errors} />}
      <div>
        <h2>{t('First rows')}</h2>
        <PreviewTable batch={batch} errors={verdict?.errors ?? []} />
      </div>
    </div>
  );
}

/** What the mapping lacks. */
function Needs({ batch }: ImportState) {
  const missing = missingFields(batch, batch.mapping);
  if (needsKey(batch, batch.mapping)) {
    return (
      <p className="import-need" role="status">
        <Icon name="info" />
        {t('To update records, let a column go to the ID or to a field that no two records share.')}
      </p>
    );
  }
  if (missing.length === 0) return null;
  return (
    <p className="import-need" role="status">
      <Icon name="info" />
      {t('Still needed: {fields}', { fields: missing.map(({ label }) => label).join(', ') })}
    </p>
  );
}

function Actions(state: ImportState) {
  const { batch, work, verdict, check, run, cancel } = state;
  const isMapped = Object.keys(batch.mapping).length > 0;
  return (
    <div className="import-actions">
      <div className="import-buttons">
        <Button kind="primary" icon="upload" disabled={work !== null || !isMapped} onClick={() => void run()}>
          {tn('Import {n} row', 'Import {n} rows', batch.total)}
        </Button>
        <Button icon="check" disabled={work !== null || !isMapped} onClick={() => void check()}>
          {t('Check')}
        </Button>
        <Button kind="bare" disabled={work !== null} onClick={() => void cancel()}>
          {t('Cancel the import')}
        </Button>
      </div>
      {work !== null && <Progress {...state} />}
      {verdict && (
        <p className={`import-verdict ${verdict.isGood ? 'import-good' : 'import-refused'}`} role="status">
          <Icon name={verdict.isGood ? 'circle-check' : 'circle-alert'} />
          {verdict.message}
        </p>
      )}
    </div>
  );
}

function Progress({ work, done, batch }: ImportState) {
  const label = work === 'check' ? t('Checking …') : t('Importing …');
  return (
    <div className="import-progress">
      <progress aria-label={label} max={Math.max(1, batch.total)} {...(done > 0 ? { value: done } : {})} />
      <span aria-live="polite">{label}</span>
    </div>
  );
}
