import type { ProfileScreenData } from '@kontor/protocol';
import { type FormEvent, useState } from 'react';
import { runCommand } from '../../commands/command.ts';
import { toClientError } from '../../data/client-error.ts';
import { rpc } from '../../data/rpc.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap, useBootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import { LabelledInput } from '../../ui/labelled.tsx';
import { setTheme, type Theme } from '../../ui/theme.ts';
import { Card, Page } from '../page.tsx';
import type { ScreenProps } from '../screen-definition.ts';
import { AboutMe, Portrait } from './about-me.tsx';
import { OwnFactors } from './own-factors.tsx';
import { OwnFollowing } from './own-following.tsx';
import { OwnKeys, OwnSessions } from './own-lists.tsx';
import { OwnNotices } from './own-notices.tsx';
import './styles.css';

/** The user's own profile and settings. */
export function ProfileScreen({ data, reload }: ScreenProps<ProfileScreenData>) {
  const { user } = useBootstrap();
  const { id, name, login } = data.user;
  return (
    <Page title={name} about={login} mark={<Portrait userId={id} name={name} />} className="profile">
      <div className="stack gap-4 at-start profile-columns">
        <div className="stack gap-4 shrink">
          <Card title={t('About you')}>
            <AboutMe data={data} onSaved={reload} />
          </Card>
          {data.hasPassword ? (
            <>
              <Card title={t('Password')} about={t('Changing your password signs you out everywhere.')}>
                <ChangePassword userId={id} />
              </Card>
              <Card
                title={t('Second factor')}
                about={t('A code in addition to your password, so that a stolen password is useless.')}
              >
                <OwnFactors factors={data.factors} recoveryCodes={data.recoveryCodes} onChanged={reload} />
              </Card>
            </>
          ) : (
            <Card title={t('Password')}>
              <p className="mut">
                {t('You sign in with the provider of your organisation, which also handles the second factor.')}
              </p>
            </Card>
          )}
        </div>
        <div className="stack gap-4 shrink">
          <Card title={t('Theme')}>
            <ThemeChoice />
          </Card>
          {data.notices.length > 0 && (
            <Card title={t('Notifications')} about={t('How you are notified.')}>
              <OwnNotices notices={data.notices} />
              <OwnFollowing following={data.following} quiet={data.quiet} />
            </Card>
          )}
          <Card title={t('Where you are signed in')}>
            <OwnSessions sessions={data.sessions} onChanged={reload} />
          </Card>
          <Card title={t('Your API keys')} about={t('Programs that act on your behalf.')}>
            <OwnKeys keys={data.apiKeys} isAdmin={user.isAdmin} onChanged={reload} />
            {user.isAdmin && (
              <div>
                <Button icon="plus" onClick={() => runCommand('new_api_key', { model: 'core.user', id, name })}>
                  {t('New API key')}
                </Button>
              </div>
            )}
          </Card>
        </div>
      </div>
    </Page>
  );
}

/** Each option shows a preview. */
function ThemeChoice() {
  const { theme } = useBootstrap();
  const themes: readonly (readonly [Theme, string])[] = [
    ['system', t('Same as system')],
    ['light', t('Light')],
    ['dark', t('Dark')],
  ];
  return (
    <div className="stack gap-3 profile-themes" role="radiogroup" aria-label={t('Theme')}>
      {themes.map(([value, label]) => (
        <label className="pad-2 pointer framed stack items-centre anchor small centred round-m" key={value}>
          <input
            className="pin cover full tall pointer unseen"
            type="radio"
            name="theme"
            checked={theme === value}
            onChange={() => setTheme(value)}
          />
          <span
            className="stack gap-1 full round-s outlined pad-1h canvas profile-look"
            data-look={value}
            aria-hidden="true"
          >
            <i />
            <i />
          </span>
          {label}
        </label>
      ))}
    </div>
  );
}

/** Requires the old password. All sessions end, so the user continues on the sign-in page. */
function ChangePassword({ userId }: { readonly userId: number }) {
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [problems, setProblems] = useState<{ readonly old?: string; readonly next?: string }>({});

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (next.length < 8 || next.length > 128)
      return setProblems({ next: t('Passwords must have 8 to 128 characters.') });
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
    <form className="stack gap-4 profile-form" noValidate onSubmit={(event) => void save(event)}>
      <input
        className="sr-only"
        autoComplete="username"
        value={bootstrap().user.login}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <LabelledInput
        label={t('Old password')}
        problem={problems.old}
        type="password"
        autoComplete="current-password"
        value={old}
        onChange={(event) => setOld(event.target.value)}
      />
      <LabelledInput
        label={t('New password')}
        hint={t('8 to 128 characters')}
        problem={problems.next}
        type="password"
        autoComplete="new-password"
        value={next}
        onChange={(event) => setNext(event.target.value)}
      />
      <div className="line end">
        <Button type="submit" disabled={old === '' || next === ''}>
          {t('Change password')}
        </Button>
      </div>
    </form>
  );
}
