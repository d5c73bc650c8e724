import { useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { postAndReload } from '../../data/request.ts';
import { t } from '../../i18n/messages.ts';
import { hasFeature } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { CommandProps } from '../command.ts';

/** Creates a link to choose a new password: sent by email if possible, otherwise shown once. */
export function ResetPasswordDialog(props: CommandProps) {
  return (
    <LinkDialog
      {...props}
      title={t('Reset the password of {name}', { name: props.target.name })}
      send={t('Send the link')}
      byMail={t(
        'They receive a link by e-mail to choose a new password. Without an e-mail address, the link is shown to you.',
      )}
      note={t('The link is valid for one hour. The current password works until the link is used.')}
    />
  );
}

/** The same for somebody who has no password yet. */
export function InviteDialog(props: CommandProps) {
  return (
    <LinkDialog
      {...props}
      title={t('Invite {name}', { name: props.target.name })}
      send={t('Send invitation')}
      byMail={t('They receive an invitation by e-mail. Without an e-mail address, its link is shown to you.')}
      note={t('The invitation is valid for a week.')}
    />
  );
}

interface LinkDialogProps extends CommandProps {
  readonly title: string;
  readonly send: string;
  readonly byMail: string;
  readonly note: string;
}

function LinkDialog({ target, onClose, title, send: sendLabel, byMail, note }: LinkDialogProps) {
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
      title={title}
      onClose={onClose}
      width={440}
      footer={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button kind="primary" disabled={isBusy} onClick={send}>
            {hasMail ? sendLabel : t('Create link')}
          </Button>
        </>
      }
    >
      <p>{hasMail ? byMail : t('E-mail is not set up, so the link is shown to you once. Share it in a safe way.')}</p>
      {problem !== '' && (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="mut">{note}</p>
    </Dialog>
  );
}
