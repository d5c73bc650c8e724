import { useId } from 'react';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { type Batch, missingFields, needsKey } from './batch.ts';
import { MappingTable } from './mapping-table.tsx';
import { PreviewTable } from './preview-table.tsx';
import { ProblemList } from './problem-list.tsx';
import { type ImportState, useImport } from './use-import.ts';
import './styles.css';

/** The mapping form of an import: columns to fields, a preview, a check, the import, and its result. */
export function ImportForm({ record }: FieldReadProps) {
  const state = useImport(record);
  const { batch, verdict } = state;
  if (batch.state === 'done' || batch.state === 'cancelled') return <ImportResult batch={batch} />;
  return (
    <div className="stack gap-4 one-column container import" aria-busy={state.work !== null || undefined}>
      <p className="mut import-lead">
        {tn('The file has {n} row.', 'The file has {n} rows.', batch.total)}{' '}
        {t('Map the columns, check the file and import it.')}
      </p>
      {batch.encoding === 'Windows-1252' && (
        <p className="import-need" role="status">
          <Icon name="info" />
          {t('The file was read as {encoding}. Check that letters with accents look right.', {
            encoding: batch.encoding,
          })}
        </p>
      )}
      <ImportOptions {...state} />
      <MissingNotice {...state} />
      <MappingTable {...state} />
      <Actions {...state} />
      {verdict && verdict.problems.length > 0 && (
        <ProblemList batch={batch} problems={verdict.problems} fix={state.fix} />
      )}
      <div>
        <h2 className="large below-2">{t('First rows')}</h2>
        <PreviewTable batch={batch} errors={verdict?.errors ?? []} />
      </div>
    </div>
  );
}

/** Says what is missing in the mapping. */
function MissingNotice({ batch }: ImportState) {
  const missing = missingFields(batch, batch.mapping);
  if (needsKey(batch, batch.mapping)) {
    return (
      <p className="warn row pad-2-3 round-m medium warned import-need" role="status">
        <Icon name="info" />
        {t('To update records, map a column to the ID or to a unique field.')}
      </p>
    );
  }
  if (missing.length === 0) return null;
  return (
    <p className="warn row pad-2-3 round-m medium warned import-need" role="status">
      <Icon name="info" />
      {t('Required: {fields}', { fields: missing.map(({ label }) => label).join(', ') })}
    </p>
  );
}

function Actions(state: ImportState) {
  const { batch, work, verdict, check, run, cancel } = state;
  const isMapped = Object.keys(batch.mapping).length > 0;
  return (
    <div className="stack gap-3">
      <div className="line wrap gap-2 import-buttons">
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
        <p
          className={`row pad-2-3 round-m medium import-verdict ${verdict.isGood ? 'ok bg-ok-soft' : 'bad bg-bad-soft'}`}
          role="status"
        >
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
    <div className="row gap-3 mut progress">
      <progress
        className="no-border round-3 muted clip share"
        aria-label={label}
        max={Math.max(1, batch.total)}
        {...(done > 0 ? { value: done } : {})}
      />
      <span aria-live="polite">{label}</span>
    </div>
  );
}

const modes: readonly Batch['mode'][] = ['create', 'upsert'];

/** Whether existing records are updated, and what happens to invalid rows. */
function ImportOptions(state: ImportState) {
  const { batch, choose, work } = state;
  const labels = { create: t('Create'), upsert: t('Create or update') };
  return (
    <div className="row wrap gap-5 rows-2">
      <SheetChoice {...state} />
      <fieldset className="round outlined inline-line import-modes" disabled={work !== null}>
        <legend className="sr-only">{t('Import as')}</legend>
        {modes.map((mode) => (
          <label className="round-4 pad-x-3 pointer inline-row mut medium lights" key={mode}>
            <input
              className="pin unseen"
              type="radio"
              name={`import-mode-${batch.id}`}
              checked={batch.mode === mode}
              onChange={() => choose({ mode })}
            />
            {labels[mode]}
          </label>
        ))}
      </fieldset>
      <label className="inline-row wrap target pointer gap-2 rows-1">
        <input
          type="checkbox"
          className="box"
          checked={batch.skipsInvalid}
          disabled={work !== null}
          onChange={(event) => choose({ skipsInvalid: event.target.checked })}
        />
        {t('Skip invalid rows')}
        <span className="mut">{t('If this is off, one invalid row stops the whole import.')}</span>
      </label>
    </div>
  );
}

/** Chooses the sheet of a workbook, if it has several. */
function SheetChoice({ batch, chooseSheet, work }: ImportState) {
  const id = useId();
  if (batch.sheets.length < 2) return null;
  return (
    <span className="inline-row gap-2 rigid">
      <label className="nowrap" htmlFor={id}>
        {t('Sheet')}
      </label>
      <select
        id={id}
        className="input"
        value={batch.sheet}
        disabled={work !== null}
        onChange={(event) => void chooseSheet(event.target.value)}
      >
        {batch.sheets.map((sheet) => (
          <option key={sheet} value={sheet}>
            {sheet}
          </option>
        ))}
      </select>
    </span>
  );
}

/** The result of a finished import. */
function ImportResult({ batch }: { readonly batch: Batch }) {
  const { imported, updated, skipped, problems, next, recordsPath, state } = batch;
  const counts = [
    { label: t('Imported'), count: imported },
    { label: t('Updated'), count: updated },
    { label: t('Skipped'), count: skipped },
  ];
  if (state === 'cancelled') {
    return (
      <EmptyState icon="x" title={t('This import was cancelled.')} next={<Back href={next} />}>
        <p>{t('Nothing was imported.')}</p>
      </EmptyState>
    );
  }
  return (
    <div className="stack gap-4 one-column container import">
      <dl className="line wrap gap-3 import-counts">
        {counts.map(({ label, count }) => (
          <div className="panel" key={label}>
            <dt className="small mut">{label}</dt>
            <dd className="strong digits">{count}</dd>
          </div>
        ))}
      </dl>
      <div className="line wrap gap-2 import-buttons">
        {recordsPath === '' ? <Back href={next} /> : <ShowRecords href={recordsPath} />}
        {skipped > 0 && (
          <a className="btn btn-default" href={`/web/bulk/rejects?id=${batch.id}`} download>
            <Icon name="download" />
            {t('Download skipped rows')}
          </a>
        )}
      </div>
      {problems.length > 0 && <ProblemList batch={batch} problems={problems} />}
    </div>
  );
}

/** Opens the records that the import created or updated. */
function ShowRecords({ href }: { readonly href: string }) {
  return (
    <a className="btn btn-primary" href={href}>
      {t('Show the records')}
    </a>
  );
}

function Back({ href }: { readonly href: string }) {
  return (
    <a className="btn btn-primary" href={href}>
      {t('Back to the list')}
    </a>
  );
}
