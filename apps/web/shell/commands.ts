import { menuPlaces } from '../data/menu-places.ts';
import { t } from '../i18n/messages.ts';
import { currentPlace, navigate } from '../navigation/router.ts';
import { screenCommands } from '../navigation/screen-commands.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { setTheme } from '../ui/theme.ts';
import { overlay } from './overlay.ts';

export interface Command {
  readonly key: string;
  readonly section: string;
  readonly label: string;
  readonly icon: string | undefined;
  readonly hint?: string;
  run(): void;
}

const shownCommands = 12;

/** Commands whose words begin with, or else hold, what was typed. */
export function commandsFor(text: string): readonly Command[] {
  const wanted = text.trim().toLowerCase();
  const all = [...hereCommands(), ...menuCommands(), ...shellCommands()];
  if (wanted === '') return all.slice(0, shownCommands);
  const found = all
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, shownCommands)
    .map(({ command }) => command);
  const sections = [...new Set(found.map(({ section }) => section))];
  return sections.flatMap((section) => found.filter((command) => command.section === section));
}

/** The section of the best match comes first. */
function rankOf({ label: name, hint = '' }: Command, wanted: string): number {
  const label = name.toLowerCase();
  if (label === wanted) return 4;
  if (label.startsWith(wanted)) return 3;
  const text = `${label} ${hint.toLowerCase()}`;
  if (text.split(/[\s/]+/).some((word) => word.startsWith(wanted))) return 2;
  return text.includes(wanted) ? 1 : 0;
}

/** What the screen itself offers: its buttons, the other views, what can be done with the record. */
function hereCommands(): readonly Command[] {
  if (currentPlace().path !== '/web') return [];
  const section = t('Here');
  return screenCommands().map((command) => ({ icon: undefined, ...command, section }));
}

function menuCommands(): readonly Command[] {
  const { topMenus, sidebarMenus, user } = bootstrap();
  const section = t('Go to');
  const here = sidebarMenus.flatMap(({ name, items }) => items.map((item) => ({ ...item, app: name })));
  const known = new Set(here.map(({ id }) => id));
  const places = [...here, ...menuPlaces.get().filter(({ id }) => !known.has(id))];
  const go = (href: string) => () => void navigate(href);
  return [
    ...places.map((place) => ({
      key: `menu-${place.id}`,
      section,
      label: place.name,
      hint: place.app,
      icon: place.icon,
      run: go(place.href),
    })),
    ...topMenus.map((menu) => ({
      key: `app-${menu.id}`,
      section,
      label: menu.name,
      icon: menu.icon,
      run: go(menu.href),
    })),
    { key: 'home', section, label: t('Home'), icon: 'house', run: go('/web/home') },
    { key: 'settings', section, label: t('Settings'), icon: 'settings', run: go('/web/settings') },
    ...(user.isAdmin
      ? [
          { key: 'apps', section, label: t('Apps'), icon: 'puzzle', run: go('/web/apps') },
          { key: 'logs', section, label: t('Application log'), icon: 'scroll-text', run: go('/web/settings/app-logs') },
        ]
      : []),
  ];
}

function shellCommands(): readonly Command[] {
  const section = t('Commands');
  return [
    { key: 'dark', section, label: t('Dark theme'), icon: 'moon', run: () => setTheme('dark') },
    { key: 'light', section, label: t('Light theme'), icon: 'sun', run: () => setTheme('light') },
    { key: 'keys', section, label: t('Keys'), icon: 'keyboard', run: () => overlay.set('keys') },
    { key: 'profile', section, label: t('Profile'), icon: 'circle-user', run: () => void navigate('/web/profile') },
    { key: 'out', section, label: t('Sign out'), icon: 'log-out', run: () => location.assign('/web/logout') },
  ];
}
