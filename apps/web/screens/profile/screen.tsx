import type { ProfileScreenData } from '@kontor/protocol';
import { runCommand } from '../../commands/command.ts';
import { t } from '../../i18n/messages.ts';
import { useBootstrap } from '../../state/bootstrap.ts';
import { Button } from '../../ui/button.tsx';
import type { ScreenProps } from '../define-screen.ts';
import { Card, Page } from '../page.tsx';
import { AboutMe } from './about-me.tsx';
import { ChangePassword } from './change-password.tsx';
import { OwnKeys, OwnSessions } from './own-lists.tsx';
import { Portrait } from './portrait.tsx';
import './styles.css';
import { ThemeChoice } from './theme-choice.tsx';

/** What people see and change of themselves. */
export function ProfileScreen({ data, reload }: ScreenProps<ProfileScreenData>) {
  const { user } = useBootstrap();
  const { id, name, login } = data.user;
  return (
    <Page title={name} about={login} mark={<Portrait userId={id} name={name} />} className="profile">
      <div className="profile-columns">
        <div className="profile-column">
          <Card title={t('About you')}>
            <AboutMe data={data} onSaved={reload} />
          </Card>
          <Card title={t('Password')} about={t('Changing it signs you out everywhere.')}>
            <ChangePassword userId={id} />
          </Card>
        </div>
        <div className="profile-column">
          <Card title={t('Theme')}>
            <ThemeChoice />
          </Card>
          <Card title={t('Where you are signed in')}>
            <OwnSessions sessions={data.sessions} onChanged={reload} />
          </Card>
          <Card title={t('Your API keys')} about={t('Programs that work in your name.')}>
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
