import { firstScreen } from '../state/idle.ts';
import { lazyComponent } from '../state/lazy.tsx';

const empty = lazyComponent(async () => (await import('./empty-view.tsx')).EmptyView);

/** Shown when there are no records: because of the search, or because there are none yet. */
export const EmptyView = empty.Component;

const menu = lazyComponent(
  async () => {
    await firstScreen;
    return (await import('./view-menu.tsx')).ViewMenu;
  },
  <span className="icon-btn" />,
);

/** The menu of a list-like view: export, import, groups, boards. The command palette offers the same. */
export const ViewMenu = menu.Component;
