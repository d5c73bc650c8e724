import { useEffect } from 'react';
import { onCatchUp, onEvent } from '../data/bus.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { loadMenus } from './use-menus.ts';

const pause = 1000;

/** Counts in the side menu follow what others do; a burst, or a time in the background, is one request. */
export function useLiveCounts(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    let isStale = false;
    const refresh = () => {
      timer = null;
      const counted = bootstrap()
        .sidebarMenus.flatMap(({ items }) => items)
        .find(({ count }) => count !== undefined);
      if (!isStale || document.hidden || !counted) return;
      isStale = false;
      void loadMenus(String(counted.id));
    };
    const changed = () => {
      isStale = true;
      timer ??= setTimeout(refresh, pause);
    };
    const ends = ['record.created', 'record.updated', 'record.deleted'].map((channel) => onEvent(channel, changed));
    ends.push(onCatchUp(changed));
    document.addEventListener('visibilitychange', refresh);
    return () => {
      if (timer) clearTimeout(timer);
      for (const end of ends) end();
      document.removeEventListener('visibilitychange', refresh);
    };
  }, []);
}
