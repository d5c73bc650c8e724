import { useBootstrap } from '../../data/bootstrap.ts';
import { t } from '../../i18n/messages.ts';
import { setTheme, type Theme } from '../../shell/theme.ts';
import { Avatar } from '../../ui/parts.tsx';
import type { ScreenProps } from '../define-screen.ts';
import { AboutMe } from './about-me.tsx';
import { ChangePassword } from './change-password.tsx';
import { OwnKeys, OwnSessions } from './own-lists.tsx';
import type { ProfileData } from './profile-data.ts';
import './styles.css';

const themes: readonly (readonly [Theme, string])[] = [
  ['system', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

export function ProfileScreen({ data, reload }: ScreenProps<ProfileData>) {
  const { theme, user } = useBootstrap();
  return (
    <div className="profile">
      <header className="profile-head">
        <Avatar name={data.user.name} image={user.image} size="l" />
        <div>
          <h1>{data.user.name}</h1>
          <p className="mut">{data.user.login}</p>
        </div>
      </header>
      <section className="profile-card">
        <h2>{t('About you')}</h2>
        <AboutMe data={data} onSaved={reload} />
      </section>
      <section className="profile-card">
        <h2>{t('Theme')}</h2>
        <div className="profile-themes" role="radiogroup" aria-label={t('Theme')}>
          {themes.map(([value, label]) => (
            <label key={value}>
              <input type="radio" name="theme" checked={theme === value} onChange={() => setTheme(value)} /> {t(label)}
            </label>
          ))}
        </div>
      </section>
      <section className="profile-card">
        <h2>{t('Password')}</h2>
        <ChangePassword userId={data.user.id} />
      </section>
      <section className="profile-card">
        <h2>{t('Your API keys')}</h2>
        <OwnKeys keys={data.apiKeys} onChanged={reload} />
      </section>
      <section className="profile-card">
        <h2>{t('Where you are signed in')}</h2>
        <OwnSessions sessions={data.sessions} onChanged={reload} />
      </section>
    </div>
  );
}
