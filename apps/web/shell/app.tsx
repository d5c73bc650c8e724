import type { ErrorScreenData } from '@kontor/protocol';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { ClientError, toClientError } from '../data/client-error.ts';
import { connection } from '../data/connection.ts';
import { waitingSaves } from '../data/waiting-saves.ts';
import { t } from '../i18n/messages.ts';
import { useCrumbs } from '../navigation/crumbs.ts';
import { currentPlace, usePlace } from '../navigation/router.ts';
import { screenAt } from '../screens/registry.ts';
import { ScreenHost } from '../screens/screen-host.tsx';
import { WorkspaceScreen } from '../screens/workspace-screen.tsx';
import { bootstrap, useBootstrap } from '../state/bootstrap.ts';
import { useStore } from '../state/store.ts';
import { BackLink, ErrorScreen, errorTitle } from '../ui/error-screen.tsx';
import { Icon } from '../ui/icon.tsx';
import { EmptyState } from '../ui/parts.tsx';
import { Overlays } from './overlays.tsx';
import { SideMenu, useMenus } from './side-menu.tsx';
import { Toaster } from './toaster.tsx';
import { TopBar } from './top-bar.tsx';
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
  const hasSide = sidebarMenus.length > 0 && !screen;
  return (
    <div className={`stack gap-0 app ${hasSide ? '' : 'app-wide'}`}>
      <a className="round-s pin pad-2-3 bg-accent skip" href="#main">
        {t('Skip to the content')}
      </a>
      <TopBar onMenu={() => setMenuOpen(!isMenuOpen)} hasSide={hasSide} />
      {hasSide && <SideMenu isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />}
      <main
        className={`column shrink least-0 anchor main ${screen ? 'scroll canvas' : 'surface'}`}
        id="main"
        tabIndex={-1}
      >
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

/** The error page that the server sent, if any. */
function pageFailure(): ClientError | null {
  const { screen } = bootstrap();
  if (screen?.name !== 'error' || currentPlace().visit > 1) return null;
  const { code, message, ...rest } = screen.data as ErrorScreenData;
  return new ClientError(code, message, rest);
}

function FailedPage({ error }: { readonly error: ClientError }) {
  useCrumbs([{ label: errorTitle(error) }]);
  return <ErrorScreen error={error} retry={() => location.reload()} />;
}

function MissingScreen() {
  useCrumbs([{ label: t('There is nothing here') }]);
  return (
    <EmptyState
      icon="search"
      title={t('There is nothing here')}
      isWhole
      next={
        <>
          <BackLink />
          <a className="btn btn-primary" href="/web/home">
            {t('Home')}
          </a>
        </>
      }
    >
      <p>{t('There is no screen at this address. It may have moved, or the address may be mistyped.')}</p>
    </EmptyState>
  );
}

interface Props {
  readonly children: ReactNode;
  /** The screen renders again after every navigation. */
  readonly visit: number;
}

interface State {
  readonly error: unknown;
}

/** An error boundary, so that the shell stays usable. React supports only classes for this. */
class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null };

  static getDerivedStateFromError(error: unknown): State {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.visit !== this.props.visit && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    if (this.state.error === null) return this.props.children;
    return <ErrorScreen error={toClientError(this.state.error)} retry={() => this.setState({ error: null })} />;
  }
}

function ConnectionNotice() {
  const isLost = useStore(connection) === 'lost';
  const names = useStore(waitingSaves).map(({ name }) => name);
  return (
    <div role="status" className={isLost ? 'row lined warn pad-2-4 warned notice' : 'sr-only'}>
      {isLost && (
        <>
          <Icon name="wifi-off" />
          {names.length > 0
            ? t('No connection. These changes are saved when the server is back: {names}.', { names: names.join(', ') })
            : t('No connection. Your changes are kept in this browser.')}
        </>
      )}
    </div>
  );
}
