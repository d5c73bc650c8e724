import { useEffect, useMemo, useState } from 'react';
import { Button, formatInteger, IconButton, type RecordValues, read, showError, t } from '../../door/index.ts';
import { type MapScope, placeOf, titleOf, useMap } from './map-context.ts';
import { fitPoints, kilometres, toPoint } from './mercator.ts';

/** The stops of the route in order; those that the list has not loaded are requested. */
export function useStops({ workspace, records, route }: Pick<MapScope, 'workspace' | 'records' | 'route'>) {
  const [others, setOthers] = useState<ReadonlyMap<number, RecordValues>>(new Map());
  const known = useMemo(() => new Map(records.map((record) => [record.id, record])), [records]);
  const missing = route.filter((id) => !known.has(id) && !others.has(id)).join();
  const { model, arch } = workspace;
  useEffect(() => {
    if (missing === '') return;
    const stop = new AbortController();
    const ids = missing.split(',').map(Number);
    read(model, ids, arch.paths ?? [], { signal: stop.signal }).then(
      (rows) => setOthers((now) => new Map([...now, ...rows.map((row) => [row.id, row] as const)])),
      (error) => !stop.signal.aborted && showError(error),
    );
    return () => stop.abort();
  }, [missing, model, arch.paths]);
  return useMemo(() => route.flatMap((id) => known.get(id) ?? others.get(id) ?? []), [route, known, others]);
}

/** The route in the order the user chose; distances are great-circle distances. */
export function RoutePanel({ stops }: { readonly stops: readonly RecordValues[] }) {
  const { map, route, size, setRoute, look } = useMap();
  if (route.length === 0) return null;
  const legs = stops.map((stop, at) => {
    const [from, to] = [stops[at - 1], stop].map((one) => one && placeOf(map, one));
    return from && to ? kilometres(from, to) : 0;
  });
  const move = (at: number, by: 1 | -1) => {
    const ids = [...route];
    [ids[at], ids[at + by]] = [ids[at + by] as number, ids[at] as number];
    setRoute(ids);
  };
  const fit = () => {
    const points = stops.flatMap((stop) => {
      const place = placeOf(map, stop);
      return place ? toPoint(place) : [];
    });
    look(fitPoints(points, size, 9));
  };
  const total = legs.reduce((sum, leg) => sum + leg, 0);
  return (
    <section className="lined sunken map-stops" aria-label={t('Route')}>
      <div className="row pad-t-1 pad-s-4 pad-e-2">
        <h3 className="heavy">{t('Route')}</h3>
        <span className="mut digits map-total" title={t('As the crow flies')}>
          {t('{n} km', { n: formatInteger(Math.round(total)) })}
        </span>
        <IconButton icon="eye" label={t('Show the whole route')} onClick={fit} />
        <Button kind="bare" onClick={() => setRoute([])}>
          {t('Clear')}
        </Button>
      </div>
      <ol>
        {stops.map((stop, at) => (
          <Stop
            key={stop.id}
            {...{ stop, at, move }}
            leg={legs[at] ?? 0}
            isLast={at === stops.length - 1}
            onRemove={() => setRoute(route.filter((id) => id !== stop.id))}
          />
        ))}
      </ol>
    </section>
  );
}

interface StopProps {
  readonly stop: RecordValues;
  readonly at: number;
  /** The distance from the previous stop. */
  readonly leg: number;
  readonly isLast: boolean;
  readonly move: (at: number, by: 1 | -1) => void;
  readonly onRemove: () => void;
}

function Stop({ stop, at, leg, isLast, move, onRemove }: StopProps) {
  const { map } = useMap();
  const name = titleOf(map, stop);
  return (
    <li className="row gap-1" data-stop={stop.id}>
      <span className="middle rigid tiny circle heavy map-stop-number">{at + 1}</span>
      <bdi className="cut grow map-stop-name">{name}</bdi>
      <span className="small dim digits nowrap map-leg">
        {at > 0 && t('{n} km', { n: formatInteger(Math.round(leg)) })}
      </span>
      <IconButton
        icon="arrow-up"
        label={t('Move {name} up', { name })}
        disabled={at === 0}
        onClick={() => move(at, -1)}
      />
      <IconButton
        icon="arrow-down"
        label={t('Move {name} down', { name })}
        disabled={isLast}
        onClick={() => move(at, 1)}
      />
      <IconButton icon="x" label={t('Remove {name} from the route', { name })} onClick={onRemove} />
    </li>
  );
}
