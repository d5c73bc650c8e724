import { type Bootstrap, type MenuItem, maxMenuCount, type WorkspacePayload } from '@kontor/protocol';
import { useEffect } from 'react';
import { syncAddons } from '../addons/client-addons.ts';
import { onCatchUp, onEvent, recordChannels } from '../data/bus.ts';
import { request } from '../data/request.ts';
import { currentWorkspace } from '../data/workspace.ts';
import { t } from '../i18n/messages.ts';
import { formatInteger } from '../i18n/numbers.ts';
import { usePlace } from '../navigation/router.ts';
import { withSaved } from '../search/effective-search.ts';
import { parseSearch, searchQuery, toHref } from '../search/search-state.ts';
import { bootstrap, changeBootstrap, useBootstrap } from '../state/bootstrap.ts';
import { useStore, useStorePart } from '../state/store.ts';
import { NamedIcon } from '../ui/icon.tsx';

interface SideMenuProps {
  /** On a phone the menu slides over the screen. */
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function SideMenu({ isOpen, onClose }: SideMenuProps) {
  const { sidebarMenus } = useBootstrap();
  const place = usePlace();
  const workspace = useStore(currentWorkspace);
  useLiveCounts();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu of a phone.
  useEffect(onClose, [place.visit]);
  return (
    <>
      {isOpen && <button type="button" className="hidden side-scrim" aria-label={t('Close')} onClick={onClose} />}
      <nav className={`sunken ruled-end scroll-y side ${isOpen ? 'is-open' : ''}`} aria-label={t('Menu')}>
        {sidebarMenus.map((section) => (
          <section key={section.id}>
            <h2>{section.name}</h2>
            <ul className="stack one-column side-links">
              {section.items.map((item) => (
                <li key={item.id}>
                  <SideLink item={item} isOn={isCurrent(item, place.query)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
        {workspace && <SavedSearches workspace={workspace} query={place.query} />}
      </nav>
    </>
  );
}

function SideLink({ item, isOn }: { readonly item: MenuItem; readonly isOn: boolean }) {
  return (
    <a
      className={`line level target pad-x-2 round-s ${linkLook(isOn)}`}
      href={item.href}
      aria-current={isOn ? 'page' : undefined}
    >
      {item.icon && <NamedIcon name={item.icon} className={isOn ? 'accent' : ''} />}
      <span className="cut">{item.name}</span>
      {item.count !== undefined && <span className="push tiny dim digits">{countText(item.count)}</span>}
    </a>
  );
}

function linkLook(isOn: boolean): string {
  return isOn ? 'ink semi surface shade' : 'mut hovers inks';
}

function countText(count: number): string {
  return count < maxMenuCount ? formatInteger(count) : `${formatInteger(maxMenuCount - 1)}+`;
}

/** Saved searches of the current screen, one click away. */
function SavedSearches({ workspace, query }: { readonly workspace: WorkspacePayload; readonly query: string }) {
  const { saved } = workspace.arch.search;
  if (saved.length === 0 || workspace.viewType === 'form') return null;
  const here = parseSearch(query);
  return (
    <section aria-label={t('Saved searches')}>
      <h2>{t('Saved searches')}</h2>
      <ul className="stack one-column side-links">
        {saved.map((one) => {
          const found = withSaved(here, one);
          const isOn = searchQuery(found) === searchQuery(here);
          return (
            <li key={one.id}>
              <a
                className={`line level target pad-x-2 round-s ${linkLook(isOn)}`}
                href={toHref(found)}
                aria-current={isOn ? 'true' : undefined}
              >
                <span className="cut">{one.name}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** The menu in the URL; if there is none, a menu with the same action. */
function isCurrent(item: MenuItem, query: string): boolean {
  const here = new URLSearchParams(query);
  const there = new URLSearchParams(item.href.split('?')[1] ?? '');
  const menu = here.get('menu_id');
  if (menu) return String(item.id) === menu;
  return here.get('action') !== null && here.get('action') === there.get('action');
}

/** Shows the menus of the current app; those of another app are loaded when the user goes there. */
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

/** Loads the menus of an app again, with their counts. */
async function loadMenus(menuId: string): Promise<void> {
  try {
    const { body } = await request<{ result: Bootstrap }>(`/web?menu_id=${encodeURIComponent(menuId)}&limit=1`);
    const { sidebarMenus, topMenus, apps, clientAddons } = body.result;
    syncAddons(clientAddons);
    changeBootstrap((now) => ({ ...now, sidebarMenus, topMenus, apps }));
  } catch {
    // On failure the current menu stays.
  }
}

const pause = 1000;

/** Keeps the counts in the side menu live; a burst of changes, or time in the background, causes one request. */
function useLiveCounts(): void {
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
    const ends = recordChannels.map((channel) => onEvent(channel, changed));
    ends.push(onCatchUp(changed));
    document.addEventListener('visibilitychange', refresh);
    return () => {
      if (timer) clearTimeout(timer);
      for (const end of ends) end();
      document.removeEventListener('visibilitychange', refresh);
    };
  }, []);
}
