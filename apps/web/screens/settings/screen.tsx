import type { SidebarMenu } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icons.ts';
import { NamedIcon } from '../../ui/named-icon.tsx';
import type { ScreenProps } from '../define-screen.ts';
import './styles.css';

interface SettingsData {
  readonly sections: readonly SidebarMenu[];
  readonly isAdmin: boolean;
}

interface OwnEntry {
  readonly href: string;
  readonly icon: IconName;
  readonly name: string;
  readonly about: string;
}

const everyone: readonly OwnEntry[] = [
  { href: '/web/profile', icon: 'circle-user', name: 'Profile', about: 'Name, language, theme, keys and devices' },
];
const admins: readonly OwnEntry[] = [
  { href: '/web/apps', icon: 'puzzle', name: 'Apps', about: 'Install, upgrade and take away' },
  {
    href: '/web/settings/app-logs',
    icon: 'scroll-text',
    name: 'Application log',
    about: 'What the server complained about',
  },
];

/** Everything that can be set, by section, each a link to where it is set. */
export function SettingsScreen({ data }: ScreenProps<SettingsData>) {
  const own = data.isAdmin ? [...everyone, ...admins] : everyone;
  return (
    <div className="settings">
      <h1>{t('Settings')}</h1>
      <ul className="settings-own">
        {own.map(({ href, icon, name, about }) => (
          <li key={href}>
            <a className="settings-card" href={href}>
              <Icon name={icon} size={20} />
              <span>
                <b>{t(name)}</b>
                <span className="mut">{t(about)}</span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      {data.sections
        .filter((section) => section.items.length > 0)
        .map((section) => (
          <section key={section.id} aria-labelledby={`settings-${section.id}`}>
            <h2 id={`settings-${section.id}`}>{section.name}</h2>
            <ul className="settings-links">
              {section.items.map((item) => (
                <li key={item.id}>
                  <a href={item.href}>
                    <NamedIcon name={item.icon} />
                    {item.name}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
