import { useEffect, useMemo, useState } from 'react';
import { formatInteger, type RecordValues, request, shadeOf, t, tn } from '../../door/index.ts';
import { type Cluster, clusterSize } from './clusters.ts';
import { type City, type Label, labelsOf } from './labels.ts';
import { keyOf, type MapScope, placeOf, titleOf, useMap } from './map-context.ts';
import { areaOf, fitPoints, onScreen, toPoint } from './mercator.ts';
import { useSettled } from './use-map-view.ts';
import { worldFor } from './world.ts';

/** The largest cities in view, for their labels. */
export function useCities({ view, size }: Pick<MapScope, 'view' | 'size'>): readonly City[] {
  const [cities, setCities] = useState<readonly City[]>([]);
  const area = size.width > 0 ? areaOf(view, size) : '';
  const [settled, setSettled] = useState('');
  useSettled(area, 200, setSettled);
  useEffect(() => {
    if (settled === '') return;
    const stop = new AbortController();
    request<{ readonly result: readonly City[] }>(`/web/wc/places?area=${settled}`, {
      signal: stop.signal,
      isQuiet: true,
    })
      // The map works without city names.
      .then(
        ({ body }) => setCities(body.result),
        () => {},
      );
    return () => stop.abort();
  }, [settled]);
  return cities;
}

export function useLabels(scope: MapScope, clusters: readonly Cluster[]): readonly Label[] {
  const cities = useCities(scope);
  const { view, size } = scope;
  return useMemo(
    () => labelsOf({ view, size, world: worldFor(view.zoom).world, cities, clusters }),
    [view, size, cities, clusters],
  );
}

export function Labels({ labels }: { readonly labels: readonly Label[] }) {
  return (
    <div className="pin cover clip pass" aria-hidden="true">
      {labels.map(({ text, kind, hasDot, x, y }) => (
        <span
          key={`${kind} ${text} ${Math.round(x)}`}
          className={`tiny mut nowrap pin map-label ${kind === 'city' ? 'semi' : 'dim map-country'} ${hasDot ? 'has-dot' : ''}`}
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
        >
          {text}
        </span>
      ))}
    </div>
  );
}

/** Pins for single records and circles for clusters; a circle zooms in as long as that separates its records. */
export function Marks({ clusters }: { readonly clusters: readonly Cluster[] }) {
  const scope = useMap();
  const { records, map } = scope;
  const bySpot = useMemo(() => new Map(records.map((record) => [keyOf(map, record), record])), [records, map]);
  return (
    <div className="pin cover clip pass map-marks">
      {clusters.map((cluster) => (
        <Mark key={cluster.at.key} cluster={cluster} record={bySpot.get(cluster.at.key)} />
      ))}
    </div>
  );
}

interface MarkProps {
  readonly cluster: Cluster;
  /** The record of a pin, if it is loaded. */
  readonly record: RecordValues | undefined;
}

function Mark({ cluster, record }: MarkProps) {
  const { view, size, map, colour, chosen, hovered, choose, hover, look } = useMap();
  const { at, spots, count } = cluster;
  const { x, y } = onScreen(view, size, at);
  if (x < -60 || y < -60 || x > size.width + 60 || y > size.height + 60) return null;
  const holds = (key: string | null | undefined) => spots.some((spot) => spot.key === key);
  const isOn = holds(chosen?.key);
  const open = () => {
    if (spots.length > 1) return look(fitPoints(spots, size, 12));
    choose({ key: at.key, id: count === 1 ? (record?.id ?? null) : null });
  };
  const shared = {
    type: 'button' as const,
    'data-spot': at.key,
    'aria-pressed': isOn,
    onClick: open,
    onPointerEnter: () => hover(at.key),
    onPointerLeave: () => hover(null),
    onFocus: () => hover(at.key),
    onBlur: () => hover(null),
  };
  const state = `${isOn ? 'is-on' : ''} ${holds(hovered) ? 'is-hovered' : ''}`;
  const place = { transform: `translate(${x}px, ${y}px)` };
  if (count === 1) {
    const name = record ? titleOf(map, record) : t('One record');
    const tint = record && colour ? { '--pin': shadeOf(record, colour).colour } : {};
    return (
      <button
        {...shared}
        className={`pin at-top at-front pad-0 no-border bare pointer map-pin ${state}`}
        aria-label={name}
        title={name}
        style={{ ...place, ...tint }}
      >
        <PinShape />
      </button>
    );
  }
  const across = clusterSize(count);
  return (
    <button
      {...shared}
      className={`small digits circle pin at-top at-front pad-0 no-border pointer heavy bg-accent map-cluster ${state}`}
      data-count={count}
      aria-label={tn('{n} record', '{n} records', count)}
      style={{ ...place, '--across': `${across}px` } as React.CSSProperties}
    >
      <span>{formatInteger(count)}</span>
    </button>
  );
}

function PinShape() {
  return (
    <svg className="block" viewBox="0 0 24 30" width="22" height="28" aria-hidden="true" focusable="false">
      <path d={pinPath} />
      <circle cx="12" cy="11" r="4" />
    </svg>
  );
}
export const pinPath = 'M12 29C12 29 22 18.5 22 11A10 10 0 1 0 2 11C2 18.5 12 29 12 29Z';

/** The line between the stops of the route. */
export function RouteLine({ stops }: { readonly stops: readonly RecordValues[] }) {
  const { view, size, map } = useMap();
  const spots = stops.flatMap((stop) => {
    const place = placeOf(map, stop);
    return place ? onScreen(view, size, toPoint(place)) : [];
  });
  if (spots.length === 0) return null;
  return (
    <svg className="pin cover clip pass map-route" width={size.width} height={size.height} aria-hidden="true">
      <polyline points={spots.map(({ x, y }) => `${x},${y}`).join(' ')} />
      {spots.map(({ x, y }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a stop is what stands at its place in the route.
        <g key={at} transform={`translate(${x}, ${y})`}>
          <circle cx="14" cy="-14" r="9" />
          <text className="tiny heavy" x="14" y="-10">
            {at + 1}
          </text>
        </g>
      ))}
    </svg>
  );
}
