import { type RefObject, useEffect, useRef, useState } from 'react';
import {
  Button,
  IconButton,
  navigate,
  openRecord,
  type RecordValues,
  recordHref,
  refine,
  searchRead,
  showError,
  t,
  tn,
  toHref,
  trailFromHere,
  ValueRead,
} from '../../door/index.ts';
import { keyOf, type MapScope, placeOf, readingDirection, titleOf, useMap } from './map-context.ts';
import { onScreen, toPoint } from './mercator.ts';
import './card.css';

const mostListed = 30;
const cardWidth = 284;

/** The selected location: a record with its fields, or the names of several records. */
export function Card() {
  const scope = useMap();
  const { chosen, choose, view, size, map, spots } = scope;
  const records = useRecordsAt(scope);
  const card = useRef<HTMLElement>(null);
  const spot = spots.find(({ key }) => key === chosen?.key);
  useFocus(card, chosen?.key ?? null);
  if (!chosen || !spot) return null;
  const one = records?.find(({ id }) => id === chosen.id) ?? (spot.count === 1 ? records?.[0] : undefined);
  const { x, y } = onScreen(view, size, toPoint(spot));
  const left = x + cardWidth + 40 < size.width ? x + 24 : x - cardWidth - 24;
  return (
    <section
      ref={card}
      className="scroll ink framed round-l pin pad-3-4 raised float map-card map-over"
      dir={readingDirection()}
      tabIndex={-1}
      aria-label={one ? titleOf(map, one) : tn('{n} record', '{n} records', spot.count)}
      style={{ left: Math.max(8, left), top: Math.max(8, Math.min(y - 80, size.height - 300)) }}
      onKeyDown={(event) => event.key === 'Escape' && choose(null)}
    >
      <IconButton className="pin map-card-close" icon="x" label={t('Close')} onClick={() => choose(null)} />
      {one ? (
        <RecordCard record={one} />
      ) : (
        <SpotCard records={records ?? []} count={spot.count} place={[spot.latitude, spot.longitude]} />
      )}
    </section>
  );
}

/** The card takes the focus if it was opened from the map; otherwise the focus stays in the list. */
function useFocus(card: RefObject<HTMLElement | null>, key: string | null): void {
  useEffect(() => {
    if (key !== null && document.activeElement?.closest('.map-marks')) card.current?.focus({ preventScroll: true });
  }, [card, key]);
}

/** The records at the location; those that the list has not loaded are requested. Null while loading. */
function useRecordsAt({ workspace, map, records, chosen, spots }: MapScope): readonly RecordValues[] | null {
  const key = chosen?.key ?? '';
  const known = records.filter((record) => keyOf(map, record) === key);
  const wanted = Math.min(mostListed, spots.find((spot) => spot.key === key)?.count ?? 0);
  const isMissing = known.length < wanted;
  const [asked, setAsked] = useState<{ readonly key: string; readonly rows: readonly RecordValues[] } | null>(null);
  useEffect(() => {
    if (!isMissing) return;
    const stop = new AbortController();
    const [latitude, longitude] = key.split(',').map(Number);
    const domain = [...map.domains.placed, [map.latitude, '=', latitude], [map.longitude, '=', longitude]];
    const options = { limit: mostListed };
    searchRead(workspace.model, domain as typeof map.domains.placed, workspace.arch.paths ?? [], options, {
      signal: stop.signal,
    }).then(
      (rows) => setAsked({ key, rows }),
      (error) => !stop.signal.aborted && showError(error),
    );
    return () => stop.abort();
  }, [isMissing, key, map, workspace.model, workspace.arch.paths]);
  if (!isMissing) return known;
  return asked?.key === key ? asked.rows : null;
}

function RecordCard({ record }: { readonly record: RecordValues }) {
  const scope = useMap();
  const { workspace, search, map, route, setRoute, pick, choose } = scope;
  const { arch, model } = workspace;
  const isStop = route.includes(record.id);
  const lines = map.lines.flatMap((node) => {
    const field = node.invisible === true ? undefined : arch.fields.find(({ name }) => name === node.name);
    const value = field && record[field.name];
    return field && value !== null && value !== '' && value !== undefined ? [{ field, node }] : [];
  });
  return (
    <>
      <h2 className="heavy">
        <a className="underlines" href={recordHref(search, workspace, record.id)} onClick={open}>
          <bdi>{titleOf(map, record)}</bdi>
        </a>
      </h2>
      <dl className="stack gap-1h above-2 below-3">
        {lines.map(({ field, node }) => (
          <div className="stack" key={node.name}>
            <dt className="small dim">{node.label ?? field.label}</dt>
            <dd className="shrink break">
              <ValueRead {...{ field, node, model, record }} place="kanban" />
            </dd>
          </div>
        ))}
      </dl>
      <div className="line wrap gap-1h map-card-acts">
        <Button kind="primary" onClick={() => openRecord(search, workspace, record.id)}>
          {t('Open')}
        </Button>
        <Button onClick={() => setRoute(isStop ? route.filter((id) => id !== record.id) : [...route, record.id])}>
          {isStop ? t('Not on the route') : t('Route')}
        </Button>
        {map.placing && placeOf(map, record) && (
          <Button
            onClick={() => {
              choose(null);
              pick(record);
            }}
          >
            {t('Move')}
          </Button>
        )}
      </div>
    </>
  );

  function open(event: React.MouseEvent): void {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openRecord(search, workspace, record.id);
  }
}

interface SpotCardProps {
  readonly records: readonly RecordValues[];
  readonly count: number;
  readonly place: readonly [latitude: number, longitude: number];
}

/** Several records at the same location, which zooming cannot separate. */
function SpotCard({ records, count, place }: SpotCardProps) {
  const { workspace, search, map, chosen, choose } = useMap();
  const openAll = () => {
    const here = [
      [map.latitude, '=', place[0]],
      [map.longitude, '=', place[1]],
    ] as const;
    const list = refine(search, { viewType: 'list', groupBy: [], domain: [...search.domain, ...here], extra: {} });
    void navigate(toHref(list), { trail: trailFromHere() });
  };
  return (
    <>
      <h2 className="heavy">{tn('{n} record', '{n} records', count)}</h2>
      <ul className="scroll above-2 below-3 map-card-list">
        {records.map((record) => (
          <li key={record.id}>
            <button
              className="target hovers full start round-s"
              type="button"
              onClick={() => choose({ key: chosen?.key ?? '', id: record.id })}
            >
              <bdi>{titleOf(map, record)}</bdi>
            </button>
          </li>
        ))}
      </ul>
      <div className="line wrap gap-1h map-card-acts">
        <Button onClick={openAll}>{tn('Open {n} in the list', 'Open {n} in the list', count)}</Button>
        <span className="sr-only">{workspace.arch.title}</span>
      </div>
    </>
  );
}
