import type { AppEntry } from '@kontor/protocol';
import { useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap, changeBootstrap } from '../../state/bootstrap.ts';
import { IconButton } from '../../ui/button.tsx';
import { type DragMove, insertBefore } from '../../ui/drag/places.ts';
import { useDrag } from '../../ui/drag/use-drag.ts';
import { NamedIcon } from '../../ui/icon.tsx';

interface AppTilesProps {
  readonly apps: readonly AppEntry[];
  readonly pinned: readonly string[];
  /** Pinned ones can be put in another order. */
  readonly isOrdered: boolean;
}

export function AppTiles({ apps, pinned, isOrdered }: AppTilesProps) {
  const list = useRef<HTMLUListElement>(null);
  const [trial, setTrial] = useState<readonly string[] | null>(null);
  const order = trial ?? pinned;
  const shown = isOrdered ? [...apps].sort((a, b) => order.indexOf(a.module) - order.indexOf(b.module)) : apps;
  const moved = ({ item, before }: DragMove) => insertBefore(pinned, item, before);
  const lifted = useDrag({
    root: list,
    isEnabled: isOrdered && pinned.length > 1,
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
  return (
    <ul ref={list} className="page-grid" data-drag-list="">
      {shown.map((app) => (
        <li
          key={app.module}
          data-app={app.module}
          data-drag-item={isOrdered ? app.module : undefined}
          className={`tile home-tile ${lifted?.item === app.module ? 'is-lifted' : ''}`}
        >
          <Tile
            app={app}
            isOrdered={isOrdered}
            onPin={() => pinApps(app.pinned ? pinned.filter((one) => one !== app.module) : [...pinned, app.module])}
          />
        </li>
      ))}
    </ul>
  );
}

interface TileProps {
  readonly app: AppEntry;
  readonly isOrdered: boolean;
  readonly onPin: () => void;
}

function Tile({ app, isOrdered, onPin }: TileProps) {
  return (
    <>
      <span className="tile-mark">
        <NamedIcon name={app.icon} size={24} />
      </span>
      <a
        className="tile-name"
        href={app.href}
        draggable={false}
        data-drag-handle
        aria-keyshortcuts={isOrdered ? 'Space Alt+ArrowLeft Alt+ArrowRight' : undefined}
      >
        {app.name}
      </a>
      <span className="mut">{app.description}</span>
      <IconButton
        className="home-pin"
        icon={app.pinned ? 'pin-off' : 'pin'}
        label={app.pinned ? t('Unpin {name}', { name: app.name }) : t('Pin {name}', { name: app.name })}
        onClick={onPin}
      />
    </>
  );
}

/** Shows the new order at once and keeps it on the server; a refusal brings back the old one. */
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

/** Pinned ones first in their order, the others by name, as the server sends them. */
function inPinnedOrder(apps: readonly AppEntry[], pinned: readonly string[]): readonly AppEntry[] {
  const rank = ({ module }: AppEntry) => (pinned.includes(module) ? pinned.indexOf(module) : pinned.length);
  return apps
    .map((app) => ({ ...app, pinned: pinned.includes(app.module) }))
    .sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
}
