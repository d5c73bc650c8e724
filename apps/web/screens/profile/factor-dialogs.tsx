import type { OwnFactor } from '@kontor/protocol';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { request } from '../../data/request.ts';
import { showToast } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LabelledInput } from '../../ui/labelled.tsx';

async function post<T>(path: string, json: object): Promise<T> {
  const { body } = await request<{ result: T }>(`/web/user/factors/${path}`, { json });
  return body.result;
}

interface StepProps {
  readonly title: string;
  readonly label: string;
  readonly isPassword?: boolean;
  /** The label of the button. */
  readonly does: string;
  readonly children?: ReactNode;
  readonly run: (typed: string) => Promise<void>;
  readonly onClose: () => void;
}

/** A dialog with one input; errors are shown below it. */
function AskStep({ title, label, isPassword = false, does, children, run, onClose }: StepProps) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const form = useId();
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      await run(typed);
    } catch (error) {
      setProblem(toClientError(error).message);
      setBusy(false);
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" type="submit" form={form} disabled={isBusy}>
            {does}
          </Button>
        </>
      }
    >
      <form id={form} className="stack gap-4 profile-form" onSubmit={(event) => void submit(event)}>
        {children}
        {isPassword && (
          <input
            className="sr-only"
            autoComplete="username"
            value={bootstrap().user.login}
            readOnly
            tabIndex={-1}
            aria-hidden="true"
          />
        )}
        <LabelledInput
          label={label}
          problem={problem || undefined}
          type={isPassword ? 'password' : 'text'}
          autoComplete={isPassword ? 'current-password' : 'one-time-code'}
          inputMode={isPassword ? undefined : 'numeric'}
          required
          autoFocus
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  );
}

interface Enrolment {
  readonly token: string;
  readonly secret: string;
  readonly picture: string;
}

/** Asks for the password, then shows the QR code and asks for a code, then shows the recovery codes. */
export function TotpDialog({ onClose }: { readonly onClose: () => void }) {
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const title = t('Set up an authenticator app');
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  if (!enrolment) {
    return (
      <AskStep
        {...{ title, onClose, isPassword: true, label: t('Your password'), does: t('Continue') }}
        run={async (password) => setEnrolment(await post<Enrolment>('totp', { password }))}
      />
    );
  }
  return (
    <AskStep
      key="code"
      {...{ title, onClose, label: t('Code from the app'), does: t('Turn on') }}
      run={async (code) => {
        const { recoveryCodes } = await post<{ recoveryCodes: readonly string[] | null }>('totp/confirm', {
          ...{ token: enrolment.token, code },
        });
        showToast({ kind: 'success', title: t('The second factor is on') });
        if (recoveryCodes) setCodes(recoveryCodes);
        else onClose();
      }}
    >
      <p>{t('Scan this with an authenticator app on your phone, then enter the code it shows.')}</p>
      <img
        className="round-m profile-qr"
        src={enrolment.picture}
        width={208}
        height={208}
        alt={t('QR code for the authenticator app')}
      />
      <p className="mut">
        {t('Or enter this key in the app:')} <code>{enrolment.secret.replaceAll(/.{4}(?=.)/g, '$& ')}</code>
      </p>
    </AskStep>
  );
}

/** Asks for a name and the password; then the browser's own prompt follows. */
export function PasskeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState(() => deviceName());
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <AskStep
      {...{ onClose, isPassword: true, label: t('Your password'), does: t('Continue') }}
      title={t('Add a passkey')}
      run={async (password) => {
        const { makePasskey } = await import('../../data/passkeys.ts');
        const recoveryCodes = await makePasskey(name, password);
        showToast({ kind: 'success', title: t('The second factor is on') });
        if (recoveryCodes) setCodes(recoveryCodes);
        else onClose();
      }}
    >
      <p>
        {t(
          'A passkey is stored on this device or on a security key. You can also sign in with it instead of your password.',
        )}
      </p>
      <LabelledInput
        label={t('Name')}
        required
        maxLength={100}
        value={name}
        autoComplete="off"
        onChange={(event) => setName(event.target.value)}
      />
    </AskStep>
  );
}

/** A default name for this device. */
function deviceName(): string {
  const known = ['iPhone', 'iPad', 'Android', 'Windows', 'Mac', 'Linux'].find((name) =>
    navigator.userAgent.includes(name),
  );
  return known ?? t('Passkey');
}

export function NewCodesDialog({ onClose }: { readonly onClose: () => void }) {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes) return <CodesDialog codes={codes} onClose={onClose} />;
  return (
    <AskStep
      {...{ onClose, isPassword: true, label: t('Your password'), does: t('Create new codes') }}
      title={t('New recovery codes')}
      run={async (password) => {
        setCodes((await post<{ recoveryCodes: readonly string[] }>('recovery', { password })).recoveryCodes);
      }}
    >
      <p>{t('Your current codes will stop working.')}</p>
    </AskStep>
  );
}

interface RemoveProps {
  readonly factor: OwnFactor;
  readonly onClose: () => void;
}

export function RemoveFactorDialog({ factor, onClose }: RemoveProps) {
  return (
    <AskStep
      {...{ onClose, isPassword: true, label: t('Your password'), does: t('Remove') }}
      title={t('Remove {name}', { name: factor.name })}
      run={async (password) => {
        await post('remove', { id: factor.id, password });
        showToast({ kind: 'success', title: t('{name} is removed', { name: factor.name }) });
        onClose();
      }}
    >
      <p>{t('Without a second factor, your password alone is enough to sign in.')}</p>
    </AskStep>
  );
}

/** Firm: recovery codes are shown only once, so a stray click must not close the dialog. */
function CodesDialog({ codes, onClose }: { readonly codes: readonly string[]; readonly onClose: () => void }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    // Insecure origins have no clipboard API; the codes can still be written down.
    void navigator.clipboard?.writeText(codes.join('\n')).then(() => setCopied(true));
  };
  return (
    <Dialog
      key="codes"
      title={t('Your recovery codes')}
      onClose={onClose}
      isFirm
      width={440}
      footer={
        <>
          <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
            {isCopied ? t('Copied') : t('Copy')}
          </Button>
          <Button kind="primary" onClick={onClose}>
            {t('I have saved them')}
          </Button>
        </>
      }
    >
      <p>
        {t(
          'Each code signs you in once if you do not have the app. Store them where you can find them without it: they are not shown again.',
        )}
      </p>
      <ul className="stack gap-4 rows-2 above-4 pairs">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
