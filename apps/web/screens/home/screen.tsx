import { useBootstrap } from '../../data/bootstrap.ts';
import { t } from '../../i18n/messages.ts';
import { NamedIcon } from '../../ui/named-icon.tsx';
import { EmptyState } from '../../ui/parts.tsx';
import './styles.css';

/** The apps that are installed, pinned ones first. */
export function HomeScreen() {
  const { apps, user } = useBootstrap();
  const [first] = user.name.split(' ');
  return (
    <div className="home">
      <h1>{t('Good to see you, {name}', { name: first ?? user.name })}</h1>
      {apps.length === 0 ? (
        <EmptyState icon="puzzle" title={t('No apps yet')}>
          <p>{t('Install the first one from the catalogue.')}</p>
          <a className="btn btn-primary" href="/web/apps">
            {t('Open the catalogue')}
          </a>
        </EmptyState>
      ) : (
        <ul className="home-apps">
          {apps.map((app) => (
            <li key={app.module}>
              <a className="home-app" href={app.href}>
                <span className="home-mark">
                  <NamedIcon name={app.icon} size={24} />
                </span>
                <b>{app.name}</b>
                <span className="mut">{app.description}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
