import { useEffect, useState } from 'react';
import { menuPlaces } from '../data/menu-places.ts';
import { type RecordValues, searchRead } from '../data/rpc.ts';
import { currentWorkspace } from '../data/workspace.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { currentPlace, navigate } from '../navigation/router.ts';
import { emptySearch, parseSearch, toHref } from '../search/search-state.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { busyTimer } from '../state/idle.ts';
import { useStore } from '../state/store.ts';
import type { Command } from './commands.ts';

interface Source {
  readonly model: string;
  readonly section: string;
  readonly icon: string | undefined;
  hrefOf(id: number): string;
}

interface Found {
  readonly source: Source;
  readonly records: readonly RecordValues[];
}

/** So many kinds of records are looked through at once, the nearest first; each shows so many. */
const mostKinds = 8;
const mostOfAKind = 5;

/** Records whose name holds the text: of the model on screen, of the app one is in, and of the other apps. */
export function useFoundRecords(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly Found[]>([]);
  const places = useStore(menuPlaces);
  const wanted = text.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menus may come after the first letters.
  useEffect(() => {
    if (wanted.length < 2) return setFound([]);
    const controller = new AbortController();
    const { signal } = controller;
    const cancel = busyTimer(() => {
      const all = Promise.all(sources().map((source) => findIn(source, wanted, signal)));
      void all.then((each) => signal.aborted || setFound(each));
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [wanted, places]);
  return found.flatMap(({ source, records }) =>
    records.map(({ id, display_name }) => ({
      key: `record-${source.model}-${id}`,
      section: source.section,
      label: String(display_name ?? id),
      icon: source.icon ?? 'file-text',
      run: () => void navigate(source.hrefOf(id), { trail: trailFromHere() }),
    })),
  );
}

/** A kind of record that cannot be looked through by name hides no other. */
async function findIn(source: Source, wanted: string, signal: AbortSignal): Promise<Found> {
  const domain = [['display_name', 'ilike', wanted]] as const;
  const records = await searchRead(source.model, domain, ['display_name'], { limit: mostOfAKind }, { signal }).catch(
    () => [],
  );
  return { source, records };
}

function sources(): readonly Source[] {
  const byModel = new Map<string, Source>();
  for (const source of [onScreen(), ...behindMenus()])
    if (source && !byModel.has(source.model)) byModel.set(source.model, source);
  return [...byModel.values()].slice(0, mostKinds);
}

function onScreen(): Source | null {
  const view = currentWorkspace.get();
  const { path, query } = currentPlace();
  if (!view || path !== '/web') return null;
  const { menuId } = parseSearch(query);
  const place = { ...emptySearch, action: String(view.actionId || ''), model: view.model, menuId, viewType: 'form' };
  const icon = menuPlaces.get().find(({ model }) => model === view.model)?.icon;
  return { model: view.model, section: view.arch.title, icon, hrefOf: (id) => toHref({ ...place, recordId: id }) };
}

function behindMenus(): readonly Source[] {
  const here = new Set(bootstrap().sidebarMenus.flatMap(({ items }) => items.map(({ id }) => id)));
  const isNear = ({ id }: { readonly id: number }) => Number(here.has(id));
  return [...menuPlaces.get()]
    .sort((a, b) => isNear(b) - isNear(a))
    .flatMap(({ model, label = '', icon, href }) =>
      model ? [{ model, section: label, icon, hrefOf: (id: number) => `${href}&view_type=form&id=${id}` }] : [],
    );
}
