import type { AppEntry } from '@kontor/protocol';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { showError } from '../../data/changes.ts';
import { request } from '../../data/request.ts';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap, changeBootstrap } from '../../state/bootstrap.ts';
import { IconButton } from '../../ui/button.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { startTileDrag } from './drag-tile.ts';

interface AppTilesProps {
  readonly apps: readonly AppEntry[];
  readonly pinned: readonly string[];
  /** Pinned ones can be put in another order. */
  readonly isOrdered: boolean;
}

export function AppTiles({ apps, pinned, isOrdered }: AppTilesProps) {
  const list = useRef<HTMLUListElement>(null);
  const [trial, setTrial] = useState<readonly string[] | null>(null);
  const [lifted, setLifted] = useState('');
  const order = trial ?? pinned;
  const shown = isOrdered ? [...apps].sort((a, b) => order.indexOf(a.module) - order.indexOf(b.module)) : apps;

  function move(app: AppEntry, to: number): void {
    const next = moved(pinned, app.module, to);
    pinApps(next);
    const place = { name: app.name, n: next.indexOf(app.module) + 1, total: next.length };
    announce(t('{name} is number {n} of {total}', place));
  }

  function press(event: PointerEvent<HTMLElement>, app: AppEntry): void {
    const isControl = (event.target as Element).closest('button') !== null;
    if (!isOrdered || isControl || event.button !== 0 || !list.current || pinned.length < 2) return;
    let next = pinned;
    const rest = () => {
      setTrial(null);
      setLifted('');
    };
    startTileDrag(list.current, event.currentTarget, event.nativeEvent, {
      hover(to) {
        next = moved(pinned, app.module, to);
        setTrial(next);
        setLifted(app.module);
      },
      drop() {
        rest();
        if (next.join() !== pinned.join()) move(app, next.indexOf(app.module));
      },
      cancel: rest,
    });
  }

  return (
    <ul ref={list} className="page-grid">
      {shown.map((app) => (
        <li
          key={app.module}
          data-app={app.module}
          className={`tile home-tile ${lifted === app.module ? 'is-lifted' : ''} ${isOrdered ? 'is-ordered' : ''}`}
          onPointerDown={(event) => press(event, app)}
          onDragStart={(event) => event.preventDefault()}
        >
          <Tile
            app={app}
            onPin={() => pinApps(app.pinned ? pinned.filter((one) => one !== app.module) : [...pinned, app.module])}
            onStep={isOrdered ? (step) => move(app, pinned.indexOf(app.module) + step) : null}
          />
        </li>
      ))}
    </ul>
  );
}

interface TileProps {
  readonly app: AppEntry;
  readonly onPin: () => void;
  /** One place to the front or the back. */
  readonly onStep: ((step: number) => void) | null;
}

function Tile({ app, onPin, onStep }: TileProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const isRtl = document.documentElement.dir === 'rtl' ? -1 : 1;
    const step = { ArrowLeft: -isRtl, ArrowRight: isRtl, ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || !step || !onStep) return;
    event.preventDefault();
    onStep(step);
  };
  return (
    <>
      <span className="tile-mark">
        <NamedIcon name={app.icon} size={24} />
      </span>
      <a
        className="tile-name"
        href={app.href}
        draggable={false}
        onKeyDown={onKeyDown}
        aria-keyshortcuts={onStep ? 'Alt+ArrowLeft Alt+ArrowRight' : undefined}
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

/** The list with one item at another place. */
export function moved(list: readonly string[], item: string, to: number): readonly string[] {
  const rest = list.filter((one) => one !== item);
  const at = Math.max(0, Math.min(rest.length, to));
  return [...rest.slice(0, at), item, ...rest.slice(at)];
}
