import type { CustomiseRevision, CustomiseScreenData } from '@kontor/protocol';
import { type FormEvent, useId, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { expireAll } from '../../data/workspace-cache.ts';
import { formatDateTime } from '../../i18n/dates.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LabelledInput } from '../../ui/labelled.tsx';
import { Avatar, EmptyState } from '../../ui/parts.tsx';
import { openRights } from '../../workspace/customise/load-customise.ts';
import { Card, Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { Models } from './models.tsx';

const { Component: SpreadsheetDialog } = lazyComponent(
  async () => (await import('../../workspace/customise/spreadsheet-dialog.tsx')).SpreadsheetDialog,
);
const { Component: ModelDialog } = lazyComponent(
  async () => (await import('../../workspace/customise/model-dialog.tsx')).ModelDialog,
);

/** The revisions of the customisation: who changed what and when, and the way back to each. */
export function CustomiseScreen({ data, reload }: ScreenProps<CustomiseScreenData>) {
  const [target, setTarget] = useState<number | null>(null);
  const [isExporting, setExporting] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const send = async (json: object, done: string) => {
    setBusy(true);
    try {
      await request('/web/customise', { json: { base: data.base, draft: data.draft, ...json } });
      showToast({ kind: 'success', title: done });
      setTarget(null);
      expireAll();
      reload();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Page
      title={t('Customisation')}
      about={t('Fields and screens that you changed. Open a form and choose Customise in its menu to change more.')}
      tools={
        <Tools
          {...{ data, isBusy }}
          onTaken={reload}
          onExport={() => setExporting(true)}
          onUndo={(revision) => setTarget(revision)}
        />
      }
    >
      <Attention of={data.attention} />
      <Filling of={data.filling} />
      <Draft {...{ data, isBusy, send }} />
      <Models {...{ data, isBusy, send, reload }} />
      <Revisions {...{ data, isBusy }} onReturn={setTarget} />
      {isExporting && <ExportDialog onClose={() => setExporting(false)} />}
      {target !== null && (
        <ReturnDialog
          target={target}
          isBusy={isBusy}
          onClose={() => setTarget(null)}
          onReturn={() => void send({ do: 'return', revision: target }, t('Published for everybody'))}
        />
      )}
    </Page>
  );
}

interface ToolsProps {
  readonly data: CustomiseScreenData;
  readonly isBusy: boolean;
  readonly onTaken: () => void;
  readonly onExport: () => void;
  readonly onUndo: (revision: number) => void;
}

function Tools({ data, isBusy, onTaken, onExport, onUndo }: ToolsProps) {
  const [added, setAdded] = useState(location.hash === '#add-model' ? 'model' : '');
  const [newest] = data.revisions;
  const isFull = data.models.length >= data.limits.models;
  const close = () => setAdded('');
  /** The draft may have the model by now. */
  const closeAndLook = () => {
    close();
    // The address that opened it would open it again.
    history.replaceState(history.state, '', location.pathname + location.search);
    onTaken();
  };
  return (
    <>
      <Button icon="plus" disabled={isFull} onClick={() => setAdded('model')}>
        {t('Add a model')}
      </Button>
      <Button icon="upload" disabled={isFull} onClick={() => setAdded('spreadsheet')}>
        {t('From a spreadsheet …')}
      </Button>
      <TakeAddon data={data} onTaken={onTaken} />
      <Button icon="lock" onClick={() => openRights('')}>
        {t('Rights …')}
      </Button>
      {newest && (
        <>
          <Button icon="download" onClick={onExport}>
            {t('Export as addon …')}
          </Button>
          <Button icon="arrow-left" disabled={isBusy} onClick={() => onUndo(newest.number - 1)}>
            {t('Undo the last revision')}
          </Button>
        </>
      )}
      {added === 'model' && <ModelDialog onClose={closeAndLook} />}
      {added === 'spreadsheet' && <SpreadsheetDialog onClose={close} />}
    </>
  );
}

interface Taken {
  readonly made: number;
  readonly waiting: number;
  readonly hasRights: boolean;
}

/** Records such as automations are made at once where what they name is published. */
function takenWords({ made, waiting, hasRights }: Taken): string {
  const words = [
    made > 0 && waiting === 0 && t('{count} automations were added. They are switched off.', { count: made }),
    waiting > 0 && t('{count} automations need the draft: publish it, then import the file again.', { count: waiting }),
    hasRights &&
      t('Its access rights and record rules were left out: enter them under Settings, or install the folder.'),
  ];
  return words.filter(Boolean).join(' ');
}

/** Takes an exported addon into the draft. */
function TakeAddon({ data, onTaken }: Pick<ToolsProps, 'data' | 'onTaken'>) {
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File) => {
    const form = new FormData();
    form.set('base', String(data.base));
    form.set('draft', String(data.draft));
    form.set('file', file);
    try {
      const { body } = await whileBusy(request<{ result: Taken }>('/web/customise/addon', { form }));
      const words = takenWords(body.result);
      showToast({
        kind: 'success',
        title: t('Added to the draft'),
        ...(words && { body: words }),
      });
      onTaken();
    } catch (error) {
      showError(error);
    }
  };
  return (
    <>
      <Button icon="upload" onClick={() => input.current?.click()}>
        {t('Import an addon …')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".zip"
        hidden
        aria-label={t('Exported addon')}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
    </>
  );
}

function Attention({ of }: { readonly of: CustomiseScreenData['attention'] }) {
  if (of.length === 0) return null;
  return (
    <Card title={t('Needs attention')} about={t('These parts do not fit the installed apps and are left out.')}>
      <ul className="stack gap-2">
        {of.map(({ at, message }) => (
          <li key={`${at} ${message}`} className="stack gap-half">
            <code className="small">{at}</code>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Filling({ of }: { readonly of: CustomiseScreenData['filling'] }) {
  if (of.length === 0) return null;
  return (
    <Card title={t('Being calculated')} about={t('Existing records get these values in the background.')}>
      <ul className="stack gap-2">
        {of.map(({ at, percent }) => (
          <li key={at} className="row gap-2">
            <code className="small">{at}</code>
            <span>{t('{percent} %', { percent })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface DraftProps {
  readonly data: CustomiseScreenData;
  readonly isBusy: boolean;
  readonly send: (json: object, done: string) => Promise<void>;
}

function Draft({ data, isBusy, send }: DraftProps) {
  if (data.waiting.length === 0) return null;
  const publish = () => void send({ do: 'publish', changes: [] }, t('Published for everybody'));
  const discard = () => void send({ do: 'discard' }, t('The draft was discarded'));
  return (
    <Card title={t('In the draft')}>
      <Sentences of={data.waiting} />
      <div className="row gap-2">
        <Button kind="primary" disabled={isBusy} onClick={publish}>
          {t('Publish the draft')}
        </Button>
        <Button disabled={isBusy} onClick={discard}>
          {t('Discard the draft')}
        </Button>
      </div>
    </Card>
  );
}

interface RevisionsProps {
  readonly data: CustomiseScreenData;
  readonly isBusy: boolean;
  readonly onReturn: (revision: number) => void;
}

function Revisions({ data, isBusy, onReturn }: RevisionsProps) {
  if (data.revisions.length === 0)
    return (
      <EmptyState icon="sliders-horizontal" title={t('Nothing was customised yet')}>
        <p>{t('Published changes appear here.')}</p>
      </EmptyState>
    );
  return (
    <Card title={t('Revisions')}>
      <ul className="stack gap-4">
        {data.revisions.map((revision) => (
          <li key={revision.number} className="row wrap gap-3 apart">
            <RevisionText revision={revision} />
            {revision.number !== data.base && (
              <Button disabled={isBusy} onClick={() => onReturn(revision.number)}>
                {t('Return to revision {n}', { n: revision.number })}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function RevisionText({ revision: { number, author, at, note, changes } }: { readonly revision: CustomiseRevision }) {
  return (
    <div className="line gap-3 shrink">
      <Avatar name={author} />
      <div className="stack gap-half shrink">
        <span className="strong">{note || t('Revision {n}', { n: number })}</span>
        <span className="small mut">{`${number} · ${author} · ${formatDateTime(at)}`}</span>
        <Sentences of={changes} />
      </div>
    </div>
  );
}

function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="stack gap-half">
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Asks for the name of the addon; its fields are called after it. */
function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    location.assign(`/web/customise/addon?${new URLSearchParams({ name })}`);
    onClose();
  };
  return (
    <Dialog
      title={t('Export as addon')}
      width={440}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" icon="download" type="submit" form={form}>
            {t('Export')}
          </Button>
        </>
      }
    >
      <form id={form} className="stack gap-3" onSubmit={submit}>
        <LabelledInput
          label={t('Name')}
          hint={t('Lower-case letters, digits and _. Fields are called after it.')}
          required
          maxLength={20}
          pattern="[a-z][a-z0-9_]*"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

interface ReturnDialogProps {
  readonly target: number;
  readonly isBusy: boolean;
  readonly onClose: () => void;
  readonly onReturn: () => void;
}

function ReturnDialog({ target, isBusy, onClose, onReturn }: ReturnDialogProps) {
  const title =
    target === 0 ? t('Return to the state before the first revision?') : t('Return to revision {n}?', { n: target });
  return (
    <Dialog
      title={title}
      width={440}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={isBusy} onClick={onReturn}>
            {t('Return')}
          </Button>
        </>
      }
    >
      <p>{t('It becomes a new revision for everybody. Fields that it does not have keep their data for 30 days.')}</p>
    </Dialog>
  );
}
