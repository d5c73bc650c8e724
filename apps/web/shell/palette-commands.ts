import { useEffect, useState } from 'react';
import { menuPlaces } from '../data/menus.ts';
import { type RecordValues, searchRead } from '../data/rpc.ts';
import { currentWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { currentPlace, navigate } from '../navigation/router.ts';
import { screenCommands } from '../navigation/screen-commands.ts';
import { emptySearch, parseSearch, toHref } from '../search/search-state.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { busyTimer } from '../state/idle.ts';
import { useStore } from '../state/store.ts';
import { setTheme } from '../ui/theme.ts';
import { overlay } from './overlay.ts';

export interface Command {
  readonly key: string;
  readonly section: string;
  readonly label: string;
  readonly icon: string | undefined;
  readonly hint?: string;
  run(): void;
}

const shownCommands = 12;

/** Commands whose words begin with, or else hold, what was typed. */
export function commandsFor(text: string): readonly Command[] {
  const wanted = text.trim().toLowerCase();
  const all = [...hereCommands(), ...menuCommands(), ...shellCommands()];
  if (wanted === '') return all.slice(0, shownCommands);
  const found = all
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, shownCommands)
    .map(({ command }) => command);
  const sections = [...new Set(found.map(({ section }) => section))];
  return sections.flatMap((section) => found.filter((command) => command.section === section));
}

/** The section of the best match comes first. */
function rankOf({ label: name, hint = '' }: Command, wanted: string): number {
  const label = name.toLowerCase();
  if (label === wanted) return 4;
  if (label.startsWith(wanted)) return 3;
  const text = `${label} ${hint.toLowerCase()}`;
  if (text.split(/[\s/]+/).some((word) => word.startsWith(wanted))) return 2;
  return text.includes(wanted) ? 1 : 0;
}

/** What the screen itself offers: its buttons, the other views, what can be done with the record. */
function hereCommands(): readonly Command[] {
  if (currentPlace().path !== '/web') return [];
  const section = t('Here');
  return screenCommands().map((command) => ({ icon: undefined, ...command, section }));
}

function menuCommands(): readonly Command[] {
  const { topMenus, sidebarMenus, user } = bootstrap();
  const section = t('Go to');
  const here = sidebarMenus.flatMap(({ name, items }) => items.map((item) => ({ ...item, app: name })));
  const known = new Set(here.map(({ id }) => id));
  const places = [...here, ...menuPlaces.get().filter(({ id }) => !known.has(id))];
  const go = (href: string) => () => void navigate(href);
  return [
    ...places.map((place) => ({
      key: `menu-${place.id}`,
      section,
      label: place.name,
      hint: place.app,
      icon: place.icon,
      run: go(place.href),
    })),
    ...topMenus.map((menu) => ({
      key: `app-${menu.id}`,
      section,
      label: menu.name,
      icon: menu.icon,
      run: go(menu.href),
    })),
    { key: 'home', section, label: t('Home'), icon: 'house', run: go('/web/home') },
    { key: 'settings', section, label: t('Settings'), icon: 'settings', run: go('/web/settings') },
    ...(user.isAdmin
      ? [
          { key: 'apps', section, label: t('Apps'), icon: 'puzzle', run: go('/web/apps') },
          { key: 'logs', section, label: t('Application log'), icon: 'scroll-text', run: go('/web/settings/app-logs') },
        ]
      : []),
  ];
}

function shellCommands(): readonly Command[] {
  const section = t('Commands');
  return [
    { key: 'dark', section, label: t('Dark theme'), icon: 'moon', run: () => setTheme('dark') },
    { key: 'light', section, label: t('Light theme'), icon: 'sun', run: () => setTheme('light') },
    { key: 'changes', section, label: t('My changes'), icon: 'rotate-ccw', run: () => overlay.set('changes') },
    { key: 'keys', section, label: t('Keys'), icon: 'keyboard', run: () => overlay.set('keys') },
    { key: 'profile', section, label: t('Profile'), icon: 'circle-user', run: () => void navigate('/web/profile') },
    { key: 'out', section, label: t('Sign out'), icon: 'log-out', run: () => location.assign('/web/logout') },
  ];
}

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
const maxModels = 8;
const maxPerModel = 5;

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
  const records = await searchRead(source.model, domain, ['display_name'], { limit: maxPerModel }, { signal }).catch(
    () => [],
  );
  return { source, records };
}

function sources(): readonly Source[] {
  const byModel = new Map<string, Source>();
  for (const source of [onScreen(), ...menuSources()])
    if (source && !byModel.has(source.model)) byModel.set(source.model, source);
  return [...byModel.values()].slice(0, maxModels);
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

function menuSources(): readonly Source[] {
  const here = new Set(bootstrap().sidebarMenus.flatMap(({ items }) => items.map(({ id }) => id)));
  const isNear = ({ id }: { readonly id: number }) => Number(here.has(id));
  return [...menuPlaces.get()]
    .sort((a, b) => isNear(b) - isNear(a))
    .flatMap(({ model, label = '', icon, href }) =>
      model ? [{ model, section: label, icon, hrefOf: (id: number) => `${href}&view_type=form&id=${id}` }] : [],
    );
}
