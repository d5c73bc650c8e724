import { type FormEvent, useState } from 'react';
import { toClientError } from '../../data/client-error.ts';
import { rpc } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';

/** The old password proves that it is them. Every session ends, so the way goes through the sign-in page. */
export function ChangePassword({ userId }: { readonly userId: number }) {
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [problem, setProblem] = useState('');

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      const vals = { old_password: old, new_password: next };
      await rpc({ model: 'core.user', method: 'call', args: [userId, 'action_change_password', vals] });
      location.assign('/web/login?next=/web/profile');
    } catch (error) {
      setProblem(toClientError(error).message);
    }
  }

  return (
    <form className="profile-form" onSubmit={(event) => void save(event)}>
      <label>
        {t('Old password')}
        <input
          type="password"
          required
          autoComplete="current-password"
          value={old}
          onChange={(event) => setOld(event.target.value)}
        />
      </label>
      <label>
        {t('New password')}
        <input
          type="password"
          required
          minLength={8}
          maxLength={128}
          autoComplete="new-password"
          aria-describedby="password-hint"
          value={next}
          onChange={(event) => setNext(event.target.value)}
        />
      </label>
      <p id="password-hint" className="mut">
        {t('8 to 128 characters. You sign in again with it, everywhere.')}
      </p>
      {problem && (
        <p className="profile-problem" role="alert">
          {problem}
        </p>
      )}
      <Button type="submit">{t('Change password')}</Button>
    </form>
  );
}
