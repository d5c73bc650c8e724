import './ui/styles/layers.css';
import './ui/styles/fonts.css';
import './ui/styles/tokens.css';
import './ui/styles/base.css';
import './ui/styles/layout.css';
import './ui/styles/space.css';
import './ui/styles/looks.css';
import type { WorkspacePayload } from '@kontor/protocol';
import { createRoot } from 'react-dom/client';
import { preloadAddons, startAddons } from './addons/client-addons.ts';
import { registerShippedCommands } from './commands/command-host.tsx';
import { startBus } from './data/bus.ts';
import { followModules, isPageStale } from './data/menus.ts';
import { startSession } from './data/session.ts';
import { showToast } from './data/toasts.ts';
import { currentWorkspace } from './data/workspace.ts';
import { cachePayload, entryOf } from './data/workspace-cache.ts';
import { preloadDates } from './fields/date.tsx';
import { registerShippedFields } from './fields/shipped-fields.ts';
import { showCrumbs } from './navigation/crumbs.ts';
import { currentPlace, startRouter } from './navigation/router.ts';
import { registerShippedScreens, screenAt } from './screens/registry.ts';
import { parseSearch, workspaceQuery } from './search/search-state.ts';
import { App } from './shell/app.tsx';
import { openBootstrap } from './state/bootstrap.ts';
import { busy, firstScreen, watchFirstPaint, watchIdle, whenIdle, whileBusy } from './state/idle.ts';
import { startTheme } from './ui/theme.ts';
import { registerShippedViews } from './views/shipped-views.ts';
import { preloadViews } from './workspace/view-lookup.ts';

// Start outside of module evaluation, or every request would carry the whole script in its stack trace, which debuggers
// parse.
queueMicrotask(start);

/** Everything that happens once, in order, before the first frame. */
function start(): void {
  const given = window.__WC_BOOTSTRAP__;
  const root = document.getElementById('root');
  if (!given || !root) throw new Error('The page carries no bootstrap object.');
  // Start loading the font now. If the first layout requested it, all text would be laid out a second time.
  void document.fonts.load('14px "Inter Variable"');
  openBootstrap(given);
  watchIdle();
  const started = busy();
  registerShippedFields();
  registerShippedViews();
  registerShippedScreens();
  registerShippedCommands();
  startAddons();
  startTheme();
  startRouter({ isKnownPath: (path) => path === '/web' || screenAt(path) !== null, isPageStale });
  if (given.firstWorkspace) openWorkspace(given.firstWorkspace);
  for (const toast of given.toasts) showToast(toast);
  if (location.search.includes('msg=imported_')) {
    void import('./fields/import-mapping/counts.ts').then(({ showCounts }) => showCounts());
  }
  const onShown = () => {
    watchFirstPaint();
    started();
  };
  createRoot(root).render(<App onShown={onShown} />);
  startSession();
  void whileBusy(firstScreen.then(startBus));
  followModules();
  whenIdle(async () => (await import('./data/follow-companies.ts')).followCompanies());
  whenIdle(preloadDates);
  if ('requestIdleCallback' in window) whenIdle(preloadAll, 10_000);
  if (given.features.devMode) void import('./data/dev-reload.ts').then(({ reloadOnBuild }) => reloadOnBuild());
}

/** Sets the workspace and breadcrumbs before the first render, so that the bars around the screen render only once. */
function openWorkspace(payload: WorkspacePayload): void {
  const query = workspaceQuery(parseSearch(location.search));
  cachePayload(query, payload);
  currentWorkspace.set(entryOf(query).get().payload);
  showCrumbs(payload.breadcrumbs, currentPlace().trail);
}

function preloadAll(): void {
  void import('./ui/cut-tips.ts').then(({ watchCutText }) => watchCutText());
  preloadViews();
  preloadAddons();
}
