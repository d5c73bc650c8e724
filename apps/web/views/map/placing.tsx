import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import {
  announce,
  Button,
  expireModel,
  type RecordValues,
  recordHref,
  remember,
  request,
  searchRead,
  showError,
  t,
  valueText,
  writeRecords,
} from '../../door/index.ts';
import { regionName } from './country-names.ts';
import type { City } from './labels.ts';
import { type MapScope, titleOf, useMap } from './map-context.ts';
import type { Place } from './mercator.ts';
import { useSettled } from './use-map-view.ts';

/** The records without a position: each is placed by its city, or by a click on the map. */
export function Placing() {
  const scope = useMap();
  const { workspace, map } = scope;
  const [rows, setRows] = useState<readonly RecordValues[] | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    searchRead(
      workspace.model,
      map.domains.unplaced,
      workspace.arch.paths ?? [],
      { limit: 80 },
      { signal: stop.signal },
    ).then(setRows, (error) => !stop.signal.aborted && showError(error));
    return () => stop.abort();
  }, [workspace.model, workspace.arch.paths, map]);
  return (
    <>
      <div className="row lined surface stick at-top above least-44 pad-y-1 pad-x-4 map-head">
        <h2 className="normal heavy">{t('Without a position')}</h2>
      </div>
      {rows?.length === 0 && <p className="dim pad-4">{t('All records are on the map.')}</p>}
      <ul className="map-list map-unplaced">
        {rows?.map((record) => (
          <Unplaced key={record.id} record={record} />
        ))}
      </ul>
    </>
  );
}

function Unplaced({ record }: { readonly record: RecordValues }) {
  const scope = useMap();
  const { workspace, search, map, picking, pick } = scope;
  const { arch, model } = workspace;
  const words = map.lines.flatMap((node) => {
    const field = arch.fields.find(({ name }) => name === node.name);
    const text = field && node.invisible !== true ? valueText({ field, node, model, record, place: 'kanban' }) : '';
    return text || [];
  });
  const name = titleOf(map, record);
  const isPicking = picking?.id === record.id;
  return (
    <li className={`column gap-1 pad-2-4 anchor lined map-row ${isPicking ? 'is-on' : ''}`}>
      <a className="strong ink" href={recordHref(search, workspace, record.id)}>
        <bdi>{name}</bdi>
      </a>
      <span className="cut small dim map-words">{words.slice(0, 3).join(', ')}</span>
      {targetOf(scope, record) !== null && (
        <div className="line gap-1h map-place">
          <CityInput label={t('City of {name}', { name })} onCity={(city) => void placeRecord(scope, record, city)} />
          <Button aria-pressed={isPicking} onClick={() => pick(isPicking ? null : record)}>
            {isPicking ? t('Click on the map …') : t('On the map')}
          </Button>
        </div>
      )}
    </li>
  );
}

interface CityInputProps {
  readonly label: string;
  readonly onCity: (city: City) => void;
}

/** Suggests cities whose name, in any language, starts with the text. */
// Over 60 lines: the input and its suggestions share key handling.
function CityInput({ label, onCity }: CityInputProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [cities, setCities] = useState<readonly City[]>([]);
  const [at, setAt] = useState(0);
  useSettled(text, 150, (asked) => {
    if (asked.trim().length < 2) return setCities([]);
    request<{ readonly result: readonly City[] }>(`/web/wc/places?q=${encodeURIComponent(asked)}`).then(({ body }) => {
      setCities(body.result);
      setAt(0);
    }, showError);
  });
  const take = (city: City | undefined) => {
    if (!city) return;
    setCities([]);
    setText(city.name);
    onCity(city);
  };
  const keys = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by) setAt((at + by + cities.length) % Math.max(1, cities.length));
    else if (event.key === 'Enter') take(cities[at]);
    else if (event.key === 'Escape' && cities.length > 0) setCities([]);
    else return;
    event.preventDefault();
  };
  const isOpen = cities.length > 0;
  return (
    <span className="anchor grow semi map-city">
      <input
        className="pad-x-2 full target-high control regular ink round surface input"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        {...(isOpen ? { 'aria-activedescendant': `${id}-${at}` } : {})}
        placeholder={t('City')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={keys}
        onBlur={() => setCities([])}
      />
      <div
        id={id}
        className="scroll round-m pin across outlined raised float above-half map-cities"
        role="listbox"
        aria-label={label}
        hidden={!isOpen}
      >
        {cities.map((city, index) => (
          <div
            key={`${city.latitude},${city.longitude}`}
            id={`${id}-${index}`}
            role="option"
            className="line apart gap-2 pad-y-1h pad-x-2h regular ink pointer marks"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerDown={(event) => {
              event.preventDefault();
              take(city);
            }}
          >
            {city.name}
            <span className="mut">{regionName(city.country)}</span>
          </div>
        ))}
      </div>
    </span>
  );
}

/** The record whose position is written: the record itself or the one it belongs to; null if there is none. */
function targetOf({ map: { placing } }: MapScope, record: RecordValues): number | null {
  if (!placing) return null;
  const id = placing.through ? record[placing.through] : record.id;
  return typeof id === 'number' ? id : null;
}

/** Saves the position with Undo. A position set by the user is kept when the address changes. */
export async function placeRecord(scope: MapScope, record: RecordValues, place: Place): Promise<void> {
  const { map, workspace, pick } = scope;
  const id = targetOf(scope, record);
  if (id === null || !map.placing) return;
  const [latitude, longitude] = [map.latitude, map.longitude].map((path) => path.split('.').at(-1) as string);
  const values = {
    [latitude as string]: Number(place.latitude.toFixed(5)),
    [longitude as string]: Number(place.longitude.toFixed(5)),
    ...(map.placing.byHand ? { [map.placing.byHand]: true } : {}),
  };
  const name = titleOf(map, record);
  pick(null);
  try {
    await writeRecords({ model: map.placing.model, ids: [id], values, done: t('Placed {name}', { name }) });
    if (map.placing.through) remember(workspace.model, [{ id: record.id, ...throughValues(scope, values) }]);
    expireModel(workspace.model);
  } catch (error) {
    showError(error);
    announce(t('{name} was not placed.', { name }));
  }
}

function throughValues({ map: { latitude, longitude } }: MapScope, values: Readonly<Record<string, unknown>>) {
  const of = (path: string) => values[path.split('.').at(-1) as string];
  return { [latitude]: of(latitude), [longitude]: of(longitude) };
}
