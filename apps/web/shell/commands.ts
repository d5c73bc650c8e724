import { bootstrap } from '../data/bootstrap.ts';
import { t } from '../i18n/messages.ts';
import { emptySearch, parseSearch, toHref } from '../search/search-state.ts';
import { currentView } from '../views/current-view.ts';
import { trailFromHere } from './crumbs.ts';
import { overlay } from './overlay.ts';
import { currentPlace, navigate } from './router.ts';
import { setTheme } from './theme.ts';

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
  return all
    .map((command) => ({ command, rank: rankOf(`${command.label} ${command.hint ?? ''}`.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, shownCommands)
    .map(({ command }) => command)
    .sort((a, b) => a.section.localeCompare(b.section));
}

function rankOf(label: string, wanted: string): number {
  if (label.startsWith(wanted)) return 3;
  if (label.split(/[\s/]+/).some((word) => word.startsWith(wanted))) return 2;
  return label.includes(wanted) ? 1 : 0;
}

function hereCommands(): readonly Command[] {
  const view = currentView.get();
  const { path, query } = currentPlace();
  if (!view || path !== '/web' || !view.arch.rights.create) return [];
  const search = { ...emptySearch, ...parseSearch(query), viewType: 'form', recordId: 0 };
  return [
    {
      key: 'new',
      section: t('Here'),
      label: t('New {label}', { label: view.arch.label }),
      icon: 'plus',
      run: () => void navigate(toHref(search), { trail: trailFromHere() }),
    },
  ];
}

function menuCommands(): readonly Command[] {
  const { topMenus, sidebarMenus } = bootstrap();
  const section = t('Go to');
  const go = (href: string) => () => void navigate(href);
  return [
    ...sidebarMenus.flatMap(({ name, items }) =>
      items.map((item) => ({
        key: `menu-${item.id}`,
        section,
        label: item.name,
        hint: name,
        icon: item.icon,
        run: go(item.href),
      })),
    ),
    ...topMenus.map((menu) => ({
      key: `app-${menu.id}`,
      section,
      label: menu.name,
      icon: menu.icon,
      run: go(menu.href),
    })),
    { key: 'home', section, label: t('Home'), icon: 'house', run: go('/web/home') },
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
