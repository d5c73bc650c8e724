import type { TopMenu } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { currentWorkspace } from '../data/workspace.ts';
import { mark, t } from '../i18n/messages.ts';
import { crumbs } from '../navigation/crumbs.ts';
import { isApple } from '../navigation/keys.ts';
import { navigate, usePlace } from '../navigation/router.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { firstScreen } from '../state/idle.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu, type MenuEntry } from '../ui/menu.tsx';
import { Avatar, initialsOf } from '../ui/parts.tsx';
import { Popover } from '../ui/popover.tsx';
import { setTheme, type Theme } from '../ui/theme.ts';
import { overlay } from './overlay.ts';

const { Component: Tray } = lazyComponent(
  async () => {
    await firstScreen;
    return (await import('./tray.tsx')).Tray;
  },
  <span className="line end gap-1 tray" />,
);
const { Component: CompanyMenu } = lazyComponent(
  async () => {
    await firstScreen;
    return (await import('./company-menu.tsx')).CompanyMenu;
  },
  <CompanyName />,
);
const { Component: Launcher } = lazyComponent<{ onClose(): void }>(
  async () => (await import('./launcher.tsx')).Launcher,
);

export function TopBar({ onMenu, hasSide }: { readonly onMenu: () => void; readonly hasSide: boolean }) {
  const app = useCurrentApp();
  const { companies } = useBootstrap();
  return (
    <header className="row gap-3 shrink lined surface whole-row top">
      {hasSide && <IconButton className="hidden top-burger" icon="menu" label={t('Menu')} onClick={onMenu} />}
      <div className="row rigid brand">
        <a href="/web/home" className="wide-only brand-home">
          <i className="middle bg-accent" aria-hidden="true">
            K
          </i>
          <span className="sr-only">{t('Home')}</span>
        </a>
        <b className="cut strong brand-app">{app?.name ?? 'Kontor'}</b>
        <AppLauncher />
      </div>
      <Breadcrumbs />
      <FindButton />
      <div className="row gap-1 rigid mut who">
        {companies.length > 1 ? <CompanyMenu /> : companies.length > 0 && <CompanyName />}
        <Tray />
        <UserMenu />
      </div>
    </header>
  );
}

function Breadcrumbs() {
  const own = useStore(crumbs);
  const app = useCurrentApp();
  const path =
    app && own.length > 0 && own[0]?.label !== app.name ? [{ label: app.name, href: overviewOf(app) }, ...own] : own;
  return (
    <nav className="shrink crumbs" aria-label={t('Breadcrumbs')}>
      <ol className="row shrink mut nowrap gap-0">
        {path.map(({ label, href }, index) => (
          <li className="dots" key={`${href ?? ''} ${label}`} title={label}>
            {index === path.length - 1 ? (
              <b className="semi ink" aria-current="page">
                {label}
              </b>
            ) : href ? (
              <a className="round-3 accents" href={href}>
                {label}
              </a>
            ) : (
              <span>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Settings have an overview screen above their lists. */
function overviewOf({ module, href }: TopMenu): string {
  return module === 'base' ? '/web/settings' : href;
}

function FindButton() {
  const title = useStore(currentWorkspace)?.arch.title;
  return (
    <button
      type="button"
      className="row dim nowrap sunken round-m clip target-high pad-x-2h find"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => overlay.set('palette')}
    >
      <Icon name="search" />
      <span className="dots">
        {title ? t('Search {title}, or type a command', { title }) : t('Search, or type a command')}
      </span>
      <kbd className="push">{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}

/** All apps, pinned ones first. */
function AppLauncher() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  return (
    <>
      <IconButton
        ref={anchor}
        className="dim brand-apps"
        icon="layout-grid"
        label={t('Apps')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      />
      {isOpen && (
        <Popover anchor={anchor} onClose={() => setOpen(false)} className="pad-3 launcher">
          <Launcher onClose={() => setOpen(false)} />
        </Popover>
      )}
    </>
  );
}

function CompanyName() {
  const { company } = useBootstrap();
  return <span className="cut company dim">{company.name}</span>;
}

const themes: readonly (readonly [Theme, string])[] = [
  ['system', mark('Same as system')],
  ['light', mark('Light')],
  ['dark', mark('Dark')],
];

function UserMenu() {
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
    { key: 'changes', label: t('My changes'), icon: 'rotate-ccw', run: () => overlay.set('changes') },
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
        <button
          type="button"
          className="middle circle target-high who-me"
          aria-label={`${initialsOf(user.name)}: ${user.name}`}
          {...props}
        >
          <Avatar name={user.name} image={user.image} />
        </button>
      )}
    />
  );
}

/** The app whose menus are in the side menu, if any. */
function useCurrentApp(): TopMenu | null {
  const { topMenus, sidebarMenus } = useBootstrap();
  const { path } = usePlace();
  if (path !== '/web') return null;
  const beside = new Set(sidebarMenus.flatMap((section) => section.items.map((item) => String(item.id))));
  return topMenus.find((one) => beside.has(menuIn(one.href))) ?? null;
}

/** A top menu links to its first child. */
function menuIn(href: string): string {
  return new URLSearchParams(href.split('?')[1]).get('menu_id') ?? '';
}
