import type { Bootstrap } from '@kontor/protocol';
import { useEffect } from 'react';
import { syncAddons } from '../addons/client-addons.ts';
import { changeBootstrap, useBootstrap } from '../data/bootstrap.ts';
import { request } from '../data/request.ts';

/** Keeps the side menu to the app of the screen: another app's menus are asked for when one goes there. */
export function useMenus(menuId: string): void {
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
