import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { formatInteger, IconButton, type MapArch, openRecords, t, tn } from '../../door/index.ts';
import { type Cluster, clusterSpots, spotKey, spotsOf } from '../map/clusters.ts';
import { Ground } from '../map/ground.tsx';
import { type Label, labelsOf } from '../map/labels.ts';
import { type Chosen, creditOf, MapProvider, type MapScope } from '../map/map-context.ts';
import { Labels, Marks } from '../map/marks.tsx';
import { fitPoints, type MapView, readView, type Size, withinWorld } from '../map/mercator.ts';
import { useSize } from '../map/use-map-view.ts';
import { worldFor } from '../map/world.ts';
import { NothingHere } from './tile-states.tsx';
import { type TileProps, viewProps } from './tile-view.ts';
import '../map/styles.css';
import './map-tile.css';

/** The records on a map. Clicking a cluster zooms in, clicking a pin shows its records; scrolling scrolls the board. */
export function MapTile(props: TileProps) {
  const { screen } = props;
  const { unplaced } = screen.arch.map as MapArch;
  return screen.listTotal + unplaced === 0 ? <NothingHere /> : <PlacedRecords {...props} />;
}

const nothing = () => {};

function PlacedRecords(props: TileProps) {
  const given = viewProps(props);
  const { workspace, search } = given;
  const map = workspace.arch.map as MapArch;
  const surface = useRef<HTMLDivElement>(null);
  const size = useSize(surface);
  const spots = useMemo(() => spotsOf(map), [map]);
  const drawn = map.rows.reduce((sum, { __count }) => sum + __count, 0);
  const start = useMemo(() => keptView(search.extra.at, size) ?? fitPoints(spots, size), [search, size, spots]);
  const [moved, look] = useState<MapView | null>(null);
  const view = moved ?? start;
  const zoom = Math.round(view.zoom * 2) / 2;
  const clusters = useMemo(() => clusterSpots(spots, zoom), [spots, zoom]);
  const labels = useCountryLabels(view, size, clusters);
  const choose = (chosen: Chosen | null) => {
    const row = map.rows.find((one) => spotKey(one[map.latitude], one[map.longitude]) === chosen?.key);
    if (row) openRecords(given, row.__domain);
  };
  const scope: MapScope = {
    ...{ workspace, map, search, spots, view, size, choose, look },
    ...{ records: [], colour: undefined, chosen: null, hovered: null, route: [], picking: null },
    ...{ hover: nothing, pick: nothing, setRoute: nothing },
  };
  return (
    <MapProvider value={scope}>
      <div className="fill anchor clip round-m above-2 tile-map" ref={surface} dir="ltr">
        {size.width > 0 && (
          <>
            <Ground />
            <Labels labels={labels} />
            <Marks clusters={clusters} />
          </>
        )}
        {moved && (
          <div className="column clip surface round-m pin outlined shade map-controls">
            <IconButton icon="target" label={t('Show all')} onClick={() => look(null)} />
          </div>
        )}
        <p className="tiny pin round-3 pass pad-x-1 map-credit">{creditOf(map)}</p>
      </div>
      <p className="row apart small mut digits tile-map-foot">
        {drawn < workspace.listTotal
          ? t('{n} of {total} on the map', { n: formatInteger(drawn), total: formatInteger(workspace.listTotal) })
          : t('{n} on the map', { n: formatInteger(workspace.listTotal) })}
        {map.unplaced > 0 && (
          <button
            className="least-24 accents underlines"
            type="button"
            title={t('Open the records')}
            onClick={() => openRecords(given, map.domains.unplaced)}
          >
            {tn('{n} without a position', '{n} without a position', map.unplaced)}
          </button>
        )}
      </p>
    </MapProvider>
  );
}

/** The map view that the tile was saved with; a tile is about half as wide. */
function keptView(text: string | undefined, size: Size): MapView | null {
  const view = readView(text, size);
  return view && withinWorld({ ...view, zoom: view.zoom - 1 }, size);
}

/** Country names come with the outlines; city names would need a request per tile. */
function useCountryLabels(view: MapView, size: Size, clusters: readonly Cluster[]): readonly Label[] {
  const [, again] = useReducer((n: number) => n + 1, 0);
  const { world, better } = worldFor(view.zoom);
  useEffect(() => {
    let isOver = false;
    better?.then(
      () => !isOver && again(),
      // Without outlines the pins are still shown.
      nothing,
    );
    return () => {
      isOver = true;
    };
  }, [better]);
  return useMemo(() => labelsOf({ view, size, world, cities: [], clusters }), [view, size, world, clusters]);
}
