import { mark, t } from '../i18n/messages.ts';
import { navigate } from '../navigation/router.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { Avatar, initialsOf } from '../ui/parts.tsx';
import { setTheme, type Theme } from '../ui/theme.ts';
import { overlay } from './overlay.ts';

const themes: readonly (readonly [Theme, string])[] = [
  ['system', mark('As the system')],
  ['light', mark('Light')],
  ['dark', mark('Dark')],
];

export function UserMenu() {
  const { user, theme } = useBootstrap();
  const entries: readonly MenuEntry[] = [
    {
      key: 'profile',
      label: t('Profile'),
      icon: 'circle-user',
      section: user.name,
      run: () => void navigate('/web/profile'),
    },
    ...(user.isAdmin
      ? [
          { key: 'apps', label: t('Apps'), icon: 'puzzle' as const, run: () => void navigate('/web/apps') },
          {
            key: 'settings',
            label: t('Settings'),
            icon: 'settings' as const,
            run: () => void navigate('/web/settings'),
          },
        ]
      : []),
    { key: 'keys', label: t('Keys'), icon: 'keyboard', hint: '?', run: () => overlay.set('keys') },
    ...themes.map(([key, label], index) => ({
      key: `theme-${key}`,
      label: t(label),
      isChecked: theme === key,
      isSticky: true,
      ...(index === 0 ? { section: t('Theme') } : {}),
      run: () => setTheme(key),
    })),
    { key: 'out', label: t('Sign out'), icon: 'log-out', section: '', run: () => location.assign('/web/logout') },
  ];
  return (
    <Menu
      label={t('You')}
      align="end"
      entries={entries}
      trigger={(props) => (
        <button type="button" className="who-me" aria-label={`${initialsOf(user.name)}: ${user.name}`} {...props}>
          <Avatar name={user.name} image={user.image} />
        </button>
      )}
    />
  );
}
