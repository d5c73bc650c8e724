import { type ArchField, fieldType, type WorkspacePayload } from '@kontor/protocol';
import { useMemo, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { mergeFields, useModelFields } from '../../data/model-fields.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { t, tn } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { type ExportChoice, saveChoice, seenFields, useLastChoice } from './export-choice.ts';
import { ChosenColumns, type FieldChoice, FormatFields, FurtherFields } from './export-fields.tsx';
import type { ExportTarget } from './open-export.ts';
import './styles.css';

interface ExportDialogProps {
  readonly target: ExportTarget;
  readonly onClose: () => void;
}

/** More ids would make the URL too long. */
const maxChosen = 1_500;

/** Chooses the columns, their order and the file format. It opens again with the last choice. */
export function ExportDialog({ target, onClose }: ExportDialogProps) {
  const { workspace, ids } = target;
  const { model, arch, listTotal } = workspace;
  const seen = target.seen.length > 0 ? target.seen : seenFields(arch);
  const last = useLastChoice(model, seen);
  const fields = useExportedFields(workspace);
  const [changes, setChanges] = useState<Partial<ExportChoice>>({});
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const choice = last && { ...last, ...changes };
  const columns = choice ? columnsOf(choice.columns, fields) : [];
  const change = (next: Partial<ExportChoice>) => {
    setProblem('');
    setChanges((now) => ({ ...now, ...next }));
  };

  async function run(): Promise<void> {
    if (!choice) return;
    if (ids.length > maxChosen) {
      return setProblem(t('Select at most {n} records, or export all matches.', { n: maxChosen }));
    }
    setBusy(true);
    try {
      await exportRecords(target, { ...choice, columns: columns.map(({ name }) => name) }, columns);
      onClose();
    } catch (error) {
      setProblem(toClientError(error).message);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Dialog
      title={t('Export {what}', { what: arch.title })}
      onClose={onClose}
      width={720}
      footer={
        <>
          {problem && (
            <p className="field-problem share self-centre" role="alert">
              {problem}
            </p>
          )}
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" icon="download" disabled={isBusy || columns.length === 0} onClick={() => void run()}>
            {tn('Export {n} record', 'Export {n} records', ids.length || listTotal)}
          </Button>
        </>
      }
    >
      {choice && (
        <div className="stack gap-5 export">
          <FormatFields choice={choice} onChange={change} />
          <ColumnChoice {...{ columns, fields, seen }} onChange={(names) => change({ columns: names })} />
        </div>
      )}
    </Dialog>
  );
}

/** Downloads the file, and remembers the choice. */
async function exportRecords(
  target: ExportTarget,
  choice: ExportChoice,
  columns: ReturnType<typeof columnsOf>,
): Promise<void> {
  const { model, arch } = target.workspace;
  const href = exportHref(target, choice, columns);
  if (choice.format === 'xlsx') await downloadWorkbook(href, arch.title, columns);
  else await download(href);
  saveChoice(model, choice);
}

function useExportedFields({ model, arch }: WorkspacePayload) {
  const more = useModelFields(model);
  return useMemo(
    () => mergeFields(arch.fields, more).filter(({ type }) => !fieldType(type).isFile),
    [arch.fields, more],
  );
}

interface ColumnChoiceProps {
  readonly columns: ReturnType<typeof columnsOf>;
  readonly fields: ReturnType<typeof useExportedFields>;
  readonly seen: readonly string[];
  readonly onChange: (names: readonly string[]) => void;
}

function ColumnChoice({ columns, fields, seen, onChange }: ColumnChoiceProps) {
  return (
    <>
      <section className="column shrink" aria-labelledby="export-chosen">
        <header className="row apart gap-0 export-head">
          <h3 className="small strong mut" id="export-chosen">
            {t('Columns')}
          </h3>
          <Button kind="bare" onClick={() => onChange(seen)}>
            {t('As shown')}
          </Button>
        </header>
        <ChosenColumns columns={columns} onChange={onChange} />
      </section>
      <section className="column shrink" aria-labelledby="export-further">
        <header className="row apart gap-0 export-head">
          <h3 className="small strong mut" id="export-further">
            {t('Other fields')}
          </h3>
        </header>
        <FurtherFields
          fields={furtherFields(columns, fields)}
          onAdd={(name) => onChange([...columns.map((column) => column.name), name])}
        />
      </section>
    </>
  );
}

/** The fields that (still) exist. */
function columnsOf(names: readonly string[], fields: readonly ArchField[]): readonly ArchField[] {
  const known = new Map(fields.map((field) => [field.name, field]));
  return names.flatMap((name) => known.get(name) ?? []);
}

function furtherFields(columns: readonly FieldChoice[], fields: readonly ArchField[]): readonly FieldChoice[] {
  const names = new Set(columns.map(({ name }) => name));
  return fields.filter(({ name }) => !names.has(name)).sort((a, b) => a.label.localeCompare(b.label));
}

/** The download URL: these columns of the selected records, or of all matching ones. */
function exportHref(
  { workspace, ids }: ExportTarget,
  { format, pageSize }: ExportChoice,
  columns: readonly ArchField[],
): string {
  const names = columns.map(({ name }) => name);
  // Lines are exported with all importable columns, one row per line.
  const again = columns.map(({ name, type }) => (fieldType(type).isLines ? `${name}/*` : name));
  const paths = format === 'reimport' ? [...new Set(['id', ...again])] : names;
  const params = new URLSearchParams({ model: workspace.model, fields: paths.join(',') });
  if (workspace.actionId > 0) params.set('action', String(workspace.actionId));
  if (ids.length > 0) params.set('ids', ids.join(','));
  else if (workspace.arch.domain?.length) params.set('domain', JSON.stringify(workspace.arch.domain));
  if (workspace.listSort) params.set('sort', workspace.listSort);
  if (format === 'pdf') params.set('page_size', pageSize);
  if (format === 'xlsx' || format === 'csv') params.set('readable', '1');
  // The action's domain may refer to the records that it was opened from.
  const opened = new URLSearchParams(location.search).get('active_ids');
  if (opened) params.set('active_ids', opened);
  return `/web/export/${format === 'pdf' ? 'pdf' : 'csv'}?${params}`;
}

/** The code that writes workbooks is loaded on first use. */
async function downloadWorkbook(href: string, title: string, columns: readonly ArchField[]): Promise<void> {
  const { saveWorkbook } = await import('./workbook.ts');
  await saveWorkbook(href, title, columns);
}

/** Asks with `dry_run` first, so that errors appear in the dialog. Then the browser downloads the file. */
export async function download(href: string): Promise<void> {
  const { body } = await request<{ readonly result: { readonly name: string } }>(`${href}&dry_run=1`);
  const link = document.createElement('a');
  link.href = href;
  link.download = body.result.name;
  document.body.append(link);
  link.click();
  link.remove();
  showToast({ kind: 'info', title: t('Your download has started'), body: body.result.name });
}
