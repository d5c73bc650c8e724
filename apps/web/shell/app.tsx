import { useEffect, useState } from 'react';
import { t } from '../i18n/messages.ts';
import { usePlace } from '../navigation/router.ts';
import { screenAt } from '../screens/registry.ts';
import { ScreenHost } from '../screens/screen-host.tsx';
import { WorkspaceScreen } from '../screens/workspace-screen.tsx';
import { useBootstrap } from '../state/bootstrap.ts';
import { ConnectionNotice } from './connection-notice.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { FailedPage, MissingScreen, pageFailure } from './failed-page.tsx';
import { Overlays } from './overlays.tsx';
import { SideMenu } from './side-menu.tsx';
import { Toaster } from './toaster.tsx';
import { TopBar } from './top-bar.tsx';
import { useMenus } from './use-menus.ts';
import './overlays.css';
import './styles.css';

/** The frame around every screen. */
export function App({ onShown }: { readonly onShown: () => void }) {
  useEffect(onShown, [onShown]);
  const place = usePlace();
  const { sidebarMenus } = useBootstrap();
  useMenus();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const screen = screenAt(place.path);
  const hasSide = sidebarMenus.length > 0 && !screen?.definition.isWide;
  return (
    <div className={`app ${hasSide ? '' : 'app-wide'} ${screen ? 'app-canvas' : ''}`}>
      <a className="skip" href="#main">
        {t('Skip to the content')}
      </a>
      <TopBar onMenu={() => setMenuOpen(!isMenuOpen)} hasSide={hasSide} />
      {hasSide && <SideMenu isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />}
      <main className="main" id="main" tabIndex={-1}>
        <ConnectionNotice />
        <ErrorBoundary visit={place.visit}>
          <Screen path={place.path} />
        </ErrorBoundary>
      </main>
      <Toaster />
      <Overlays />
    </div>
  );
}

function Screen({ path }: { readonly path: string }) {
  const failure = pageFailure();
  if (failure) return <FailedPage error={failure} />;
  if (path === '/web') return <WorkspaceScreen />;
  const screen = screenAt(path);
  return screen ? <ScreenHost key={path} screen={screen} /> : <MissingScreen />;
}
