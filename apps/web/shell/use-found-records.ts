import { useEffect, useState } from 'react';
import { bootstrap } from '../data/bootstrap.ts';
import { busyTimer } from '../data/idle.ts';
import { type RecordValues, searchRead } from '../data/rpc.ts';
import { emptySearch, parseSearch, toHref } from '../search/search-state.ts';
import { currentView } from '../views/current-view.ts';
import type { Command } from './commands.ts';
import { trailFromHere } from './crumbs.ts';
import { currentPlace, navigate } from './router.ts';

interface Source {
  readonly model: string;
  readonly section: string;
  hrefOf(id: number): string;
}

interface Found {
  readonly source: Source;
  readonly records: readonly RecordValues[];
}

/** Records whose name holds the text: of the model on screen, and contacts from everywhere. */
export function useFoundRecords(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly Found[]>([]);
  const wanted = text.trim();
  useEffect(() => {
    if (wanted.length < 2) return setFound([]);
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      Promise.all(sources().map((source) => findIn(source, wanted, controller.signal))).then(setFound, () => {});
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [wanted]);
  return found.flatMap(({ source, records }) =>
    records.map(({ id, display_name }) => ({
      key: `record-${source.model}-${id}`,
      section: source.section,
      label: String(display_name ?? id),
      icon: 'file-text',
      run: () => void navigate(source.hrefOf(id), { trail: trailFromHere() }),
    })),
  );
}

async function findIn(source: Source, wanted: string, signal: AbortSignal): Promise<Found> {
  const domain = [['display_name', 'ilike', wanted]] as const;
  const records = await searchRead(source.model, domain, ['display_name'], { limit: 8 }, { signal });
  return { source, records };
}

function sources(): readonly Source[] {
  const here = onScreen();
  const contacts = here?.model === 'core.partner' ? null : everyContact();
  return [here, contacts].filter((source) => source !== null);
}

function onScreen(): Source | null {
  const view = currentView.get();
  const { path, query } = currentPlace();
  if (!view || path !== '/web') return null;
  const { menuId } = parseSearch(query);
  const place = { ...emptySearch, action: String(view.actionId || ''), model: view.model, menuId, viewType: 'form' };
  return { model: view.model, section: view.arch.title, hrefOf: (id) => toHref({ ...place, recordId: id }) };
}

function everyContact(): Source | null {
  const app = bootstrap().apps.find(({ module }) => module === 'contacts');
  if (!app) return null;
  return { model: 'core.partner', section: app.name, hrefOf: (id) => `${app.href}&view_type=form&id=${id}` };
}
