import { useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { postAndReload } from '../../data/request.ts';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { CommandProps } from '../command.ts';

/** Creates a link to choose a new password: sent by email if possible, otherwise shown once. */
export function ResetPasswordDialog({ target, onClose }: CommandProps) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const send = () => {
    setBusy(true);
    setProblem('');
    postAndReload('/web/action/reset_password', { id: String(target.id) }).catch((error: unknown) => {
      setBusy(false);
      setProblem(t('Nothing was sent. {message}', { message: toClientError(error).message }));
    });
  };
  const hasMail = hasFeature('mail');
  return (
    <Dialog
      title={t('Reset the password of {name}', { name: target.name })}
      onClose={onClose}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={isBusy} onClick={send}>
            {hasMail ? t('Send the link') : t('Create link')}
          </Button>
        </>
      }
    >
      <p>
        {hasMail
          ? t(
              'They receive a link by e-mail to choose a new password. Without an e-mail address, the link is shown to you.',
            )
          : t('E-mail is not set up, so the link is shown to you once. Share it in a safe way.')}
      </p>
      {problem !== '' && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="mut">{t('The link is valid for one hour. The current password works until the link is used.')}</p>
    </Dialog>
  );
}
