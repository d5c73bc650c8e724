import type { TopMenu } from '@kontor/protocol';
import { currentWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { crumbs } from '../navigation/crumbs.ts';
import { isApple } from '../navigation/keys.ts';
import { useBootstrap } from '../state/bootstrap.ts';
import { lazyComponent } from '../state/lazy.tsx';
import { useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { AppLauncher } from './app-launcher.tsx';
import { CompanySwitch } from './company-switch.tsx';
import { overlay } from './overlay.ts';
import { useCurrentApp } from './use-current-app.ts';
import { UserMenu } from './user-menu.tsx';

const { Component: Tray } = lazyComponent(async () => (await import('./tray.tsx')).Tray, <span className="tray" />);

export function TopBar({ onMenu, hasSide }: { readonly onMenu: () => void; readonly hasSide: boolean }) {
  const app = useCurrentApp();
  const { companies } = useBootstrap();
  return (
    <header className="top">
      {hasSide && <IconButton className="top-burger" icon="menu" label={t('Menu')} onClick={onMenu} />}
      <div className="brand">
        <a href="/web/home" className="brand-home">
          <i aria-hidden="true">K</i>
          <span className="sr-only">{t('Home')}</span>
        </a>
        <b className="brand-app">{app?.name ?? 'Kontor'}</b>
        <AppLauncher />
      </div>
      <Breadcrumbs />
      <FindButton />
      <div className="who">
        {companies.length > 0 && <CompanySwitch />}
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
    <nav className="crumbs" aria-label={t('Breadcrumbs')}>
      <ol>
        {path.map(({ label, href }, index) => (
          <li key={`${href ?? ''} ${label}`}>
            {index === path.length - 1 ? (
              <b aria-current="page">{label}</b>
            ) : href ? (
              <a href={href}>{label}</a>
            ) : (
              <span>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Settings have a screen of their own above their lists. */
function overviewOf({ module, href }: TopMenu): string {
  return module === 'base' ? '/web/settings' : href;
}

function FindButton() {
  const title = useStore(currentWorkspace)?.arch.title;
  return (
    <button type="button" className="find" aria-keyshortcuts="Control+K Meta+K" onClick={() => overlay.set('palette')}>
      <Icon name="search" />
      <span>{title ? t('Search {title}, or type a command', { title }) : t('Search, or type a command')}</span>
      <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}
