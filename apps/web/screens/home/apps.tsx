import type { AppEntry } from '@kontor/protocol';
import { type RefObject, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap, changeBootstrap, hasFeature, useBootstrap } from '../../state/bootstrap.ts';
import { IconButton } from '../../ui/button.tsx';
import { type DragMove, insertBefore } from '../../ui/drag/places.ts';
import { useDrag } from '../../ui/drag/use-drag.ts';
import { Icon, NamedIcon } from '../../ui/icon.tsx';

interface PinnedAppsProps {
  readonly isAllShown: boolean;
  readonly onToggle: () => void;
  /** The id of the element that the button toggles. */
  readonly controls: string;
}

/** How many apps are shown if none is pinned. */
const withoutPins = 8;

/** The pinned apps in the user's order; a button shows all others. */
export function PinnedApps({ isAllShown, onToggle, controls }: PinnedAppsProps) {
  const { apps, pinnedApps } = useBootstrap();
  const pinned = pinnedApps.filter((module) => apps.some((app) => app.module === module && app.pinned));
  const list = useRef<HTMLUListElement>(null);
  const { lifted, order } = usePinDrag(list, pinned);
  const inOrder = order.flatMap((module) => apps.find((app) => app.module === module) ?? []);
  const shown = pinned.length > 0 ? inOrder : apps.slice(0, withoutPins);
  return (
    <div className="line wrap end gap-2 home-apps">
      <ul className="line wrap end gap-2" ref={list} data-drag-list="">
        {shown.map((app) => (
          <li
            key={app.module}
            data-app={app.module}
            data-drag-item={app.pinned ? app.module : undefined}
            className={`framed shade surface medium edges home-app ${lifted?.item === app.module ? 'is-lifted' : ''}`}
          >
            <a
              className="row"
              href={app.href}
              draggable={false}
              data-drag-handle
              aria-keyshortcuts={pinned.length > 1 ? 'Space Alt+ArrowLeft Alt+ArrowRight' : undefined}
            >
              <span className="middle accent clip round wide-24 high-24 mark home-app-mark">
                <NamedIcon name={app.icon} size={24} />
              </span>
              <span className="home-app-name">{app.name}</span>
            </a>
          </li>
        ))}
      </ul>
      <button
        type="button"
        className="mut dashed surface medium row bare edges home-all"
        aria-expanded={isAllShown}
        aria-controls={controls}
        onClick={onToggle}
      >
        <span className="middle accent clip round wide-24 high-24 mark home-app-mark">
          <Icon name="layout-grid" />
        </span>
        <span className="home-app-name">{t('All apps')}</span>
      </button>
    </div>
  );
}

/** Reorders pinned apps by drag; the order is saved on drop. */
function usePinDrag(list: RefObject<HTMLUListElement | null>, pinned: readonly string[]) {
  const { apps } = useBootstrap();
  const [trial, setTrial] = useState<readonly string[] | null>(null);
  const order = trial ?? pinned;
  const moved = ({ item, before }: DragMove) => insertBefore(pinned, item, before);
  const lifted = useDrag({
    root: list,
    isEnabled: pinned.length > 1,
    layout: 'wrap',
    isByHandle: false,
    lists: () => [{ key: '', label: '', items: order }],
    nameOf: (item) => apps.find(({ module }) => module === item)?.name ?? item,
    preview: (move) => setTrial(move && moved(move)),
    drop(move) {
      const next = moved(move);
      setTrial(null);
      if (next.join() !== pinned.join()) pinApps(next);
    },
  });
  return { lifted, order };
}

/** Every app with its summary and a pin button. */
export function AllApps() {
  const { apps, pinnedApps } = useBootstrap();
  const toggle = (app: AppEntry) =>
    pinApps(app.pinned ? pinnedApps.filter((one) => one !== app.module) : [...pinnedApps, app.module]);
  return (
    <ul className="stack gap-4 page-grid">
      {apps.map((app) => (
        <li
          key={app.module}
          data-app={app.module}
          className={`stack anchor surface tall framed round-l shade gap-1 packed pad-4 tile reveals home-tile ${app.pinned ? 'is-pinned' : ''}`}
        >
          <span className="middle rigid accent clip round-l tinted below-2 square-44 mark tile-mark">
            <NamedIcon name={app.icon} size={24} />
          </span>
          <a className="large strong round-3 cover-link tight tile-name" href={app.href}>
            {app.name}
          </a>
          <span className="mut">{app.description}</span>
          <IconButton
            className="dim pin revealed home-pin"
            icon={app.pinned ? 'pin-off' : 'pin'}
            label={app.pinned ? t('Unpin {name}', { name: app.name }) : t('Pin {name}', { name: app.name })}
            onClick={() => toggle(app)}
          />
        </li>
      ))}
      {hasFeature('customise') && (
        <li className="stack anchor surface tall framed round-l shade gap-1 packed pad-4 tile reveals home-tile">
          <span className="middle rigid accent clip round-l tinted below-2 square-44 mark tile-mark">
            <NamedIcon name="plus" size={24} />
          </span>
          <a className="large strong round-3 cover-link tight tile-name" href="/web/settings/customise#add-model">
            {t('Add a model')}
          </a>
          <span className="mut">{t('A list of your own, such as machines or rooms.')}</span>
        </li>
      )}
    </ul>
  );
}

/** Shows the new order at once and saves it; a rejection restores the old one. */
function pinApps(modules: readonly string[]): void {
  const before = bootstrap().pinnedApps;
  show(modules);
  request<{ result: { modules: readonly string[] } }>('/web/user/pinned-apps', { json: { modules } }).then(
    ({ body }) => show(body.result.modules),
    (error: unknown) => {
      show(before);
      showError(error);
    },
  );
}

function show(pinned: readonly string[]): void {
  changeBootstrap((now) => ({ ...now, pinnedApps: pinned, apps: inPinnedOrder(now.apps, pinned) }));
}

/** Pinned apps first, in their order; the others as sent by the server, by name. */
function inPinnedOrder(apps: readonly AppEntry[], pinned: readonly string[]): readonly AppEntry[] {
  const rank = ({ module }: AppEntry) => (pinned.includes(module) ? pinned.indexOf(module) : pinned.length);
  return apps
    .map((app) => ({ ...app, pinned: pinned.includes(app.module) }))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
