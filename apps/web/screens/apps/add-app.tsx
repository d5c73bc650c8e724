import type { CatalogueEntry } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { request } from '../../data/request.ts';
import { csrfToken } from '../../data/session.ts';
import { announce, showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';

interface AddedApp {
  readonly name: string;
  readonly version: string;
}

interface AddAppProps {
  readonly onClose: () => void;
  readonly onAdded: (app: AddedApp) => void;
}

/** Uploads a tarball. The server checks it, but does not install it. */
export function AddAppDialog({ onClose, onAdded }: AddAppProps) {
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function take(file: File | undefined): Promise<void> {
    if (!file || isBusy) return;
    setProblem('');
    setBusy(true);
    try {
      const app = await upload(file);
      const title = t('{name} {version} was added', { ...app });
      announce(title);
      showToast({ kind: 'success', title });
      onAdded(app);
    } catch (error) {
      setBusy(false);
      setProblem(toClientError(error).message);
    }
  }

  return (
    <Dialog
      title={t('Add an app')}
      onClose={onClose}
      width={480}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" autoFocus disabled={isBusy} onClick={() => input.current?.click()}>
            {isBusy ? t('Reading …') : t('Choose a file')}
          </Button>
        </>
      }
    >
      <div className="stack gap-3">
        <p>{t('Upload an app as a tarball (.tgz), then install it.')}</p>
        <p className="round-m pad-2-3 warned">
          {t('Its code runs on the server without restrictions. Add only apps that you trust.')}
        </p>
        {problem && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
        <input
          ref={input}
          type="file"
          accept=".tgz,.tar.gz,application/gzip"
          aria-label={t('App tarball')}
          hidden
          onChange={(event) => {
            void take(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
      </div>
    </Dialog>
  );
}

async function upload(file: File): Promise<AddedApp> {
  const form = new FormData();
  form.set('csrf_token', csrfToken());
  form.set('file', file, file.name);
  const { body } = await request<{ result: AddedApp }>('/web/module/upload', { form });
  return body.result;
}

interface RemoveAppProps {
  readonly entry: CatalogueEntry;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}

export function RemoveAppDialog({ entry, onClose, onRemoved }: RemoveAppProps) {
  const [problem, setProblem] = useState('');
  const { label: name } = entry;

  async function remove(): Promise<void> {
    try {
      await request('/web/module/remove', { json: { module: entry.module } });
      const title = t('{name} was removed', { name });
      announce(title);
      showToast({ kind: 'success', title });
      onRemoved();
    } catch (error) {
      setProblem(toClientError(error).message);
    }
  }

  return (
    <Dialog
      title={t('Remove {name}?', { name })}
      onClose={onClose}
      width={460}
      footer={
        <>
          <Button onClick={onClose}>{t('Keep it')}</Button>
          <Button kind="danger" onClick={() => void remove()}>
            {t('Remove')}
          </Button>
        </>
      }
    >
      <div className="stack gap-3">
        <p>{t('Its files are removed from the server. To use it again, add it again.')}</p>
        {problem && (
          <p className="field-problem" role="alert">
            {problem}
          </p>
        )}
      </div>
    </Dialog>
  );
}
