import type { TopMenu } from '@kontor/protocol';
import { useBootstrap } from '../data/bootstrap.ts';
import { usePlace } from './router.ts';

/** The app whose menus are beside the screen, when there is one. */
export function useCurrentApp(): TopMenu | null {
  const { topMenus, sidebarMenus } = useBootstrap();
  const { path, query } = usePlace();
  if (path !== '/web') return null;
  const menu = new URLSearchParams(query).get('menu_id') ?? '';
  const byMenu = topMenus.find((one) => String(one.id) === menu);
  if (byMenu) return byMenu;
  const inSide = sidebarMenus.some((section) => section.items.some((item) => String(item.id) === menu));
  return topMenus.find((one) => inSide && one.id === sidebarMenus[0]?.id) ?? null;
}
