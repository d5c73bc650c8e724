import { type FormEvent, useState } from 'react';
import { toClientError } from '../data/client-error.ts';
import { type SecondFactor, signInAgain } from '../data/session.ts';
import { t } from '../i18n/messages.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { whileSending } from '../state/idle.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** The session has expired: the user signs in again over the current screen and continues. */
export function SignInDialog() {
  const { user } = bootstrap();
  const { typed, setTyped, factor, problem, isBusy, submit, showPasskey } = useSignIn();
  return (
    <Dialog title={t('Sign in again')} onClose={() => {}} isFirm width={400}>
      <form className="stack sign-in" onSubmit={(event) => void submit(event)}>
        <p>{t('Your session has expired. Nothing you typed is lost: sign in to continue.')}</p>
        <input
          className="sr-only"
          type="text"
          autoComplete="username"
          value={user.login}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <label className="medium above-2" htmlFor="sign-in-password">
          {factor
            ? t('Code from your authenticator app, or a recovery code')
            : t('Password of {name}', { name: user.name })}
        </label>
        <input
          key={factor ? 'code' : 'password'}
          id="sign-in-password"
          className="input"
          type={factor ? 'text' : 'password'}
          autoComplete={factor ? 'one-time-code' : 'current-password'}
          required
          autoFocus
          value={typed}
          aria-invalid={problem !== '' || undefined}
          aria-describedby="sign-in-problem"
          onChange={(event) => setTyped(event.target.value)}
        />
        <p id="sign-in-problem" className="field-problem" role="alert">
          {problem}
        </p>
        {factor?.methods?.includes('passkey') && (
          <Button disabled={isBusy} onClick={() => void showPasskey()}>
            {t('Use a passkey')}
          </Button>
        )}
        <div className="line end gap-2 above-2">
          <a className="btn btn-bare" href="/web/logout">
            {t('Leave')}
          </a>
          <Button kind="primary" type="submit" disabled={isBusy}>
            {t('Sign in')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The password first, then a second factor if the account has one. */
function useSignIn() {
  const [typed, setTyped] = useState('');
  const [factor, setFactor] = useState<SecondFactor | null>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      const asked = await whileSending(
        factor ? signInAgain({ code: typed }, '/factor') : signInAgain({ password: typed }),
      );
      // Enrolling a second factor needs its own page; unsaved input is kept.
      if (asked?.enrol) return location.assign(asked.enrol);
      setFactor(asked);
      setTyped('');
    } catch (error) {
      setProblem(toClientError(error).message);
    }
    setBusy(false);
  };
  const showPasskey = async () => {
    setBusy(true);
    setProblem('');
    try {
      const { askForPasskey } = await import('../data/passkeys.ts');
      await signInAgain(await askForPasskey(), '/passkey');
    } catch (error) {
      setProblem(toClientError(error).message);
      setBusy(false);
    }
  };
  return { typed, setTyped, factor, problem, isBusy, submit, showPasskey };
}
