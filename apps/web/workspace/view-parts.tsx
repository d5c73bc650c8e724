import { firstScreen } from '../state/idle.ts';
import { lazyComponent } from '../state/lazy.tsx';

const empty = lazyComponent(async () => (await import('./empty-view.tsx')).EmptyView);

/** What a view shows when there is nothing to show: because of the search, or because there is nothing yet. */
export const EmptyView = empty.Component;

const menu = lazyComponent(
  async () => {
    await firstScreen;
    return (await import('./view-menu.tsx')).ViewMenu;
  },
  <span className="icon-btn" />,
);

/** The menu of a view of many records: export, import, groups, a board. The palette offers the same. */
export const ViewMenu = menu.Component;
