import type { TopMenu } from '@kontor/protocol';
import { usePlace } from '../navigation/router.ts';
import { useBootstrap } from '../state/bootstrap.ts';

/** The app whose menus are beside the screen, when there is one. */
export function useCurrentApp(): TopMenu | null {
  const { topMenus, sidebarMenus } = useBootstrap();
  const { path } = usePlace();
  if (path !== '/web') return null;
  const beside = new Set(sidebarMenus.flatMap((section) => section.items.map((item) => String(item.id))));
  return topMenus.find((one) => beside.has(menuIn(one.href))) ?? null;
}

/** A top menu leads to the first one under it. */
function menuIn(href: string): string {
  return new URLSearchParams(href.split('?')[1]).get('menu_id') ?? '';
}
