import type { WorkspacePayload } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { toClientError } from '../data/client-error.ts';
import { request } from '../data/request.ts';
import { csrfToken } from '../data/session.ts';
import { t } from '../i18n/messages.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { currentPlace, navigate, placeHref } from '../navigation/router.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { seenFields } from './export/export-choice.ts';
import './import-dialog.css';

export interface ImportDialogProps {
  readonly workspace: WorkspacePayload;
  /** Visible fields; empty: those of the view. */
  readonly names: readonly string[];
  readonly onClose: () => void;
}

/** The request is limited to eight megabytes, including the form around the file. */
const maxBytes = 8 * 1024 * 1024 - 10_000;

/** Choose or drop a file; it is uploaded at once, and its mapping form opens. */
export function ImportDialog({ workspace, names, onClose }: ImportDialogProps) {
  const [mode, setMode] = useState<'create' | 'upsert'>('create');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function take(file: File): Promise<void> {
    if (isBusy) return;
    if (file.size > maxBytes) return setProblem(t('This file is too large. The limit is {n} MB.', { n: 8 }));
    setProblem('');
    setBusy(true);
    try {
      const place = await upload(workspace, file, mode);
      onClose();
      await navigate(place, { trail: trailFromHere() });
    } catch (error) {
      setBusy(false);
      setProblem(toClientError(error).message);
    }
  }

  return (
    <Dialog
      title={t('Import {title}', { title: workspace.arch.title })}
      onClose={onClose}
      width={520}
      footer={<Button onClick={onClose}>{t('Cancel')}</Button>}
    >
      <div className="stack gap-4">
        <fieldset className="stack gap-1">
          <legend className="sr-only">{t('Import as')}</legend>
          <Mode {...{ mode, setMode }} value="create" label={t('Create')} help={t('Every row becomes a new record.')} />
          <Mode
            {...{ mode, setMode }}
            value="upsert"
            label={t('Create or update')}
            help={t('Rows with a known ID or unique value update that record.')}
          />
        </fieldset>
        <DropZone isBusy={isBusy} onFile={(file) => void take(file)} />
        {problem && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        <a
          className="accent underlines field-link inline-row gap-2 target list-import-template"
          href={templateHref(workspace, names)}
          download
        >
          <Icon name="download" />
          {t('Download a template with these columns')}
        </a>
      </div>
    </Dialog>
  );
}

function DropZone({ isBusy, onFile }: { readonly isBusy: boolean; readonly onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  return (
    <div
      className={`stack pad-5 round-l sunken dim items-centre list-import-drop ${isOver ? 'tinted list-import-over' : ''}`}
      aria-busy={isBusy || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      }}
    >
      <Icon name="upload" size={26} />
      <Button kind="primary" autoFocus disabled={isBusy} onClick={() => input.current?.click()}>
        {isBusy ? t('Reading …') : t('Choose a file')}
      </Button>
      <span className="mut small">{t('Excel (.xlsx) or CSV, up to 8 MB; or drop the file here')}</span>
      <input
        ref={input}
        type="file"
        accept=".xlsx,.csv,.tsv,.txt,text/csv,text/tab-separated-values"
        aria-label={t('File to import')}
        hidden
        onChange={(event) => {
          take(event.target.files);
          event.target.value = '';
        }}
      />
    </div>
  );
}

interface ModeProps {
  readonly value: 'create' | 'upsert';
  readonly mode: 'create' | 'upsert';
  readonly setMode: (mode: 'create' | 'upsert') => void;
  readonly label: string;
  readonly help: string;
}

function Mode({ value, mode, setMode, label, help }: ModeProps) {
  return (
    <label className="line baseline gap-2 target pointer">
      <input type="radio" name="import-mode" checked={mode === value} onChange={() => setMode(value)} />
      <span>
        <b className="semi block">{label}</b>
        <span className="mut small">{help}</span>
      </span>
    </label>
  );
}

/** Uploads the file and returns the URL of its mapping form. */
async function upload(workspace: WorkspacePayload, file: File, mode: string): Promise<string> {
  const form = new FormData();
  form.set('csrf_token', csrfToken());
  form.set('model', workspace.model);
  form.set('import_mode', mode);
  form.set('next', placeHref(currentPlace()));
  if (workspace.actionId > 0) form.set('action', String(workspace.actionId));
  form.set('file', file, file.name);
  const { body } = await request<{ result: { redirect: string } }>('/web/bulk/upload', { form });
  return body.result.redirect;
}

/** A template with the visible fields that can be written, and the record's lines. */
function templateHref({ model, arch }: WorkspacePayload, names: readonly string[]): string {
  const seen = names.length > 0 ? names : seenFields(arch);
  const writable = seen.filter((name) => arch.fields.find((field) => field.name === name)?.readonly === false);
  const fields = ['id', ...writable].join(',');
  return `/web/bulk/template?${new URLSearchParams({ model, fields, lines: '1' })}`;
}
