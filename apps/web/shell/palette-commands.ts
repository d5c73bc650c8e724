import type { FoundRecords, RecentRecord } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { menuPlaces } from '../data/menus.ts';
import { request } from '../data/request.ts';
import { currentWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { trailFromHere } from '../navigation/crumbs.ts';
import { currentPlace, navigate } from '../navigation/router.ts';
import { screenCommands } from '../navigation/screen-commands.ts';
import { emptySearch, parseSearch, toHref } from '../search/search-state.ts';
import { bootstrap, hasFeature } from '../state/bootstrap.ts';
import { busyTimer } from '../state/idle.ts';
import { useStore } from '../state/store.ts';
import { setTheme } from '../ui/theme.ts';
import { newName } from '../workspace/open-new.ts';
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
/** How many commands of the screen are listed before the user types, so that the other sections fit. */
const shownHere = 6;

/** Commands and recent records whose text starts with, or else contains, the query. */
export function commandsFor(text: string, recent: readonly RecentRecord[]): readonly Command[] {
  const wanted = folded(text.trim());
  const opened = recentCommands(recent);
  const here = hereCommands();
  const named = new Set(here.map(({ label }) => label));
  const made = newCommands().filter(({ label }) => !named.has(label));
  const others = [...made, ...menuCommands(), ...shellCommands()];
  if (wanted === '') return [...opened, ...here.slice(0, shownHere), ...others].slice(0, 2 * shownCommands);
  const found = [...opened, ...here, ...others]
    .map((command) => ({ command, rank: rankOf(command, wanted) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, shownCommands)
    .map(({ command }) => command);
  const sections = [...new Set(found.map(({ section }) => section))];
  return sections.flatMap((section) => found.filter((command) => command.section === section));
}

/** How well a command matches; 0: not at all. */
function rankOf({ label: name, hint = '' }: Command, wanted: string): number {
  const label = folded(name);
  if (label === wanted) return 4;
  if (label.startsWith(wanted)) return 3;
  const text = `${label} ${folded(hint)}`;
  const words = text.split(/[\s/]+/);
  if (wanted.split(/\s+/).every((typed) => words.some((word) => word.startsWith(typed)))) return 2;
  return text.includes(wanted) ? 1 : 0;
}

/** Case and accents are ignored. */
function folded(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLocaleLowerCase();
}

/** Recently opened records, except for the one on screen. */
function recentCommands(recent: readonly RecentRecord[]): readonly Command[] {
  const view = currentWorkspace.get();
  const { path, query } = currentPlace();
  const shown = path === '/web' && view ? `${view.model},${parseSearch(query).recordId}` : '';
  return recent
    .filter(({ model, id }) => `${model},${id}` !== shown)
    .map(({ model, id, name, kind, href }) => ({
      key: `record-${model}-${id}`,
      section: t('Recent'),
      label: name,
      hint: kind,
      icon: menuPlaces.get().find((place) => place.model === model)?.icon ?? 'file-text',
      run: () => void navigate(href, { trail: trailFromHere() }),
    }));
}

/** Models whose records can be created from anywhere. */
function newCommands(): readonly Command[] {
  return menuPlaces.get().flatMap(({ id, newLabel, mayCreate, label = '', href }) => {
    if (!newLabel && !mayCreate) return [];
    const run = () => void navigate(`${href}&view_type=form`, { trail: trailFromHere() });
    return [{ key: `new-${id}`, section: t('New'), label: newLabel ?? newName({ label }), icon: 'plus', run }];
  });
}

/** What the screen offers: its buttons, the other views, the actions on the record. */
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
    { key: 'reference', section, label: t('Reference'), icon: 'book-open', run: go('/web/reference') },
    ...(hasFeature('customise')
      ? [
          {
            ...{ key: 'customise', section, label: t('Customisation'), icon: 'sliders-horizontal' },
            run: go('/web/settings/customise'),
          },
        ]
      : []),
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
  const { user, companies, activeCompanyId } = bootstrap();
  const go = (href: string) => () => void navigate(href, { trail: trailFromHere() });
  return [
    ...companies
      .filter(({ id }) => id !== activeCompanyId)
      .map(({ id, name }) => ({
        key: `company-${id}`,
        section,
        label: t('Switch company: {name}', { name }),
        icon: 'building',
        run: () => void import('./company-menu.tsx').then(({ switchCompany }) => switchCompany(id)),
      })),
    ...(user.isAdmin
      ? [
          { key: 'install', section, label: t('Install app'), icon: 'puzzle', run: go('/web/apps') },
          {
            key: 'invite',
            section,
            label: t('Invite a user'),
            icon: 'users',
            run: go('/web?action=base.users&view_type=form'),
          },
        ]
      : []),
    { key: 'dark', section, label: t('Dark theme'), icon: 'moon', run: () => setTheme('dark') },
    { key: 'light', section, label: t('Light theme'), icon: 'sun', run: () => setTheme('light') },
    { key: 'changes', section, label: t('My changes'), icon: 'rotate-ccw', run: () => overlay.set('changes') },
    {
      key: 'proposals',
      section,
      label: t('Proposed changes'),
      icon: 'circle-check',
      run: () => void navigate('/web/proposals'),
    },
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

/** How many models are named, the nearest first. The server searches those that matter most. */
const maxModels = 60;

/** Records by name, number, email, phone or city: of the current model, of the current app, then of the other apps. */
export function useFoundRecords(text: string): readonly Command[] {
  const [found, setFound] = useState<readonly Command[]>([]);
  const places = useStore(menuPlaces);
  const wanted = text.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menus may come after the first letters.
  useEffect(() => {
    if (wanted.length < 2) return setFound([]);
    const controller = new AbortController();
    const { signal } = controller;
    const cancel = busyTimer(() => {
      const asked = sources();
      void find({ q: wanted, models: asked.map(({ model }) => model).join() }, signal).then(
        (answer) =>
          signal.aborted ||
          setFound(
            bestFirst(
              asked.map((source) => foundIn(source, answer)),
              wanted,
            ),
          ),
        () => {},
      );
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [wanted, places]);
  return found;
}

/** Models by their best match, so that an exact name comes before a mention; otherwise the nearest first. */
export function bestFirst(kinds: readonly (readonly Command[])[], wanted: string): readonly Command[] {
  const typed = folded(wanted);
  const best = (commands: readonly Command[]) => Math.max(0, ...commands.map((command) => rankOf(command, typed)));
  return [...kinds].sort((a, b) => best(b) - best(a)).flat();
}

function foundIn(source: Source, { found }: FoundRecords): readonly Command[] {
  return (found[source.model] ?? []).map(({ id, name, by }) => ({
    key: `record-${source.model}-${id}`,
    section: source.section,
    label: name || String(id),
    ...(by ? { hint: by } : {}),
    icon: source.icon ?? 'file-text',
    run: () => void navigate(source.hrefOf(id), { trail: trailFromHere() }),
  }));
}

/** The user's recent records, loaded when the palette opens. */
export function useRecentRecords(): readonly RecentRecord[] {
  const [recent, setRecent] = useState<readonly RecentRecord[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    void find({}, signal).then(
      (answer) => signal.aborted || setRecent(answer.recent),
      () => {},
    );
    return () => controller.abort();
  }, []);
  return recent;
}

async function find(query: Readonly<Record<string, string>>, signal: AbortSignal): Promise<FoundRecords> {
  const { body } = await request<{ result: FoundRecords }>(`/web/wc/find?${new URLSearchParams(query)}`, { signal });
  return body.result;
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
