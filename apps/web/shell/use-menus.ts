import type { Bootstrap } from '@kontor/protocol';
import { useEffect } from 'react';
import { syncAddons } from '../addons/client-addons.ts';
import { request } from '../data/request.ts';
import { currentWorkspace } from '../data/workspace.ts';
import { usePlace } from '../navigation/router.ts';
import { parseSearch } from '../search/search-state.ts';
import { changeBootstrap, useBootstrap } from '../state/bootstrap.ts';
import { useStorePart } from '../state/store.ts';

/** Keeps the side menu to the app of the screen: another app's menus are asked for when one goes there. */
export function useMenus(): void {
  const { path, query } = usePlace();
  const shown = useStorePart(currentWorkspace, (workspace) => workspace?.menuId ?? '');
  const menuId = path === '/web' ? parseSearch(query).menuId || shown : '';
  const { sidebarMenus } = useBootstrap();
  const isKnown =
    menuId === '' || sidebarMenus.some((section) => section.items.some((item) => String(item.id) === menuId));
  useEffect(() => {
    if (!isKnown) void loadMenus(menuId);
  }, [isKnown, menuId]);
}

/** Asks again for the menus of an app, and what they count. */
export async function loadMenus(menuId: string): Promise<void> {
  try {
    const { body } = await request<{ result: Bootstrap }>(`/web?menu_id=${encodeURIComponent(menuId)}&limit=1`);
    const { sidebarMenus, topMenus, apps, clientAddons } = body.result;
    syncAddons(clientAddons);
    changeBootstrap((now) => ({ ...now, sidebarMenus, topMenus, apps }));
  } catch {
    // The menu of the screen before is better than none.
  }
}
