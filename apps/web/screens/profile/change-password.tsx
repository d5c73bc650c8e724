import { type FormEvent, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { rpc } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { Labelled } from '../../ui/labelled.tsx';

/** The old password proves that it is them. Every session ends, so the way goes through the sign-in page. */
export function ChangePassword({ userId }: { readonly userId: number }) {
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [problems, setProblems] = useState<{ readonly old?: string; readonly next?: string }>({});

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (next.length < 8 || next.length > 128) return setProblems({ next: t('A password has 8 to 128 characters.') });
    setProblems({});
    try {
      const vals = { old_password: old, new_password: next };
      await rpc({ model: 'core.user', method: 'call', args: [userId, 'action_change_password', vals] });
      location.assign('/web/login?next=/web/profile');
    } catch (error) {
      const { fields, message } = toClientError(error);
      setProblems(fields.password ? { next: fields.password.join(' ') } : { old: message });
    }
  }

  return (
    <form className="profile-form" noValidate onSubmit={(event) => void save(event)}>
      <input
        className="sr-only"
        autoComplete="username"
        value={bootstrap().user.login}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <Labelled label={t('Old password')} problem={problems.old}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="password"
            autoComplete="current-password"
            value={old}
            onChange={(event) => setOld(event.target.value)}
          />
        )}
      </Labelled>
      <Labelled label={t('New password')} hint={t('8 to 128 characters')} problem={problems.next}>
        {(props) => (
          <input
            {...props}
            className="input"
            type="password"
            autoComplete="new-password"
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        )}
      </Labelled>
      <div className="profile-do">
        <Button type="submit" disabled={old === '' || next === ''}>
          {t('Change password')}
        </Button>
      </div>
    </form>
  );
}
