import { useEffect, useState } from 'react';
import { busyTimer } from '../data/idle.ts';
import { type RecordValues, searchRead } from '../data/rpc.ts';
import { emptySearch, parseSearch, toHref } from '../search/search-state.ts';
import { currentView } from '../views/current-view.ts';
import type { Command } from './commands.ts';
import { trailFromHere } from './crumbs.ts';
import { currentPlace, navigate } from './router.ts';

/** Records of the model on screen whose name holds the text. */
export function useFoundRecords(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly RecordValues[]>([]);
  const view = currentView.get();
  const wanted = text.trim();
  const model = view?.model;
  useEffect(() => {
    if (wanted.length < 2 || !model) return setFound([]);
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      searchRead(
        model,
        [['display_name', 'ilike', wanted]],
        ['display_name'],
        { limit: 8 },
        { signal: controller.signal },
      ).then(setFound, () => {});
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [wanted, model]);
  if (!view) return [];
  const { menuId } = parseSearch(currentPlace().query);
  return found.map(({ id, display_name }) => ({
    key: `record-${id}`,
    section: view.arch.title,
    label: String(display_name ?? id),
    icon: 'file-text',
    run: () => {
      const search = {
        ...emptySearch,
        action: String(view.actionId || ''),
        model: view.model,
        menuId,
        viewType: 'form',
        recordId: id,
      };
      void navigate(toHref(search), { trail: trailFromHere() });
    },
  }));
}
