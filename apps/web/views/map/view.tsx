import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import {
  Button,
  EmptyView,
  formatInteger,
  goTo,
  IconButton,
  type MapArch,
  type MenuEntry,
  MoreMenu,
  openExport,
  PanelHost,
  prefetchForm,
  type RecordValues,
  showError,
  t,
  useAddToBoard,
  useRecords,
  useScreenCommands,
  type ViewProps,
  WorkspaceBar,
  whileBusy,
} from '../../door/index.ts';
import { Card } from './card.tsx';
import { clusterSpots, spotsOf } from './clusters.ts';
import { Ground } from './ground.tsx';
import {
  type Chosen,
  creditOf,
  MapProvider,
  type MapScope,
  placeOf,
  readingDirection,
  titleOf,
  useMap,
} from './map-context.ts';
import { Labels, Marks, RouteLine, useLabels } from './marks.tsx';
import {
  areaOf,
  atScreen,
  fitPoints,
  kilometresPerPixel,
  type MapView as Look,
  onScreen,
  type Point,
  readView,
  toPlace,
  toPoint,
  viewText,
  zoomAt,
} from './mercator.ts';
import { Placing, placeRecord } from './placing.tsx';
import { RoutePanel, useStops } from './route.tsx';
import { RecordList, UnplacedFoot } from './side.tsx';
import { keyedView, useMapGestures, useSettled, useSize } from './use-map-view.ts';
import './styles.css';
import './side.css';

/**
 * Records on a world map, in clusters, with a list beside it. Without a tile server, nothing is loaded from other
 * servers.
 */
export function MapView(props: ViewProps) {
  const { workspace, search } = props;
  const { unplaced } = workspace.arch.map as MapArch;
  if (workspace.listTotal + unplaced === 0 && !search.extra.area) {
    return (
      <>
        <WorkspaceBar workspace={workspace} search={search} />
        <EmptyView workspace={workspace} search={search} />
      </>
    );
  }
  return <MapScreen {...props} />;
}

// Over 60 lines: it builds the scope that all parts of the map share.
function MapScreen({ workspace, search, isLoading }: ViewProps) {
  const map = workspace.arch.map as MapArch;
  const surface = useRef<HTMLDivElement>(null);
  const size = useSize(surface);
  const records = useRecords(workspace.model, workspace.records);
  const spots = useMemo(() => spotsOf(map), [map]);
  const { view, look, hasMoved, searched } = useLook(search, size, spots);
  const [chosen, choose] = useState<Chosen | null>(null);
  const [hovered, hover] = useState<string | null>(null);
  const [picking, pick] = useState<RecordValues | null>(null);
  const [isPlacing, setPlacing] = useState(false);
  const routeText = search.extra.route ?? '';
  const route = useMemo(() => routeText.split(',').flatMap((id) => (Number(id) > 0 ? Number(id) : [])), [routeText]);
  useEffect(() => prefetchForm(search, workspace), [search, workspace]);
  const scope: MapScope = {
    ...{ workspace, map, search, records, spots, view, size, chosen, hovered, route, picking },
    ...{ choose, hover, look, pick },
    colour: workspace.arch.fields.find(({ name }) => name === map.color),
    setRoute: (ids) => goTo(search, { route: ids.join() }, true),
  };
  const clusterZoom = Math.round(view.zoom * 2) / 2;
  const clusters = useMemo(() => clusterSpots(spots, clusterZoom), [spots, clusterZoom]);
  const stops = useStops(scope);
  const labels = useLabels(scope, clusters);
  const searchArea = () => {
    searched();
    goTo(search, { area: areaOf(view, size), at: viewText(view) });
  };
  const picture = (format: 'svg' | 'png') => () => {
    const places = stops
      .flatMap((stop) => placeOf(map, stop) ?? [])
      .map((place) => onScreen(view, size, toPoint(place)));
    const drawn = { view, size, clusters, labels, stops: places, credit: creditOf(map), surface: surface.current };
    const made = import('./picture.ts').then(({ downloadMap }) =>
      drawn.surface ? downloadMap({ ...drawn, surface: drawn.surface }, workspace.arch.title, format) : undefined,
    );
    whileBusy(made).catch(showError);
  };
  return (
    <MapProvider value={scope}>
      <WorkspaceBar
        workspace={workspace}
        search={search}
        summary={
          <span className="inline-row gap-1 dim nowrap digits pager">
            {t('{n} of {total}', {
              n: formatInteger(workspace.listTotal),
              total: formatInteger(workspace.listTotal + map.unplaced),
            })}
          </span>
        }
        actions={<MapMenu {...{ workspace, picture }} />}
      />
      <MapBounds map={map} total={workspace.listTotal} />
      <div className={'fill line map-body'}>
        <aside
          className={`column rigid least-0 ruled-end map-side ${isLoading ? 'is-stale' : ''}`}
          aria-label={t('List')}
        >
          <div className="fill scroll map-scroll">
            <RoutePanel stops={stops} />
            {isPlacing ? <Placing /> : <RecordList />}
          </div>
          <UnplacedFoot
            isOpen={isPlacing}
            onToggle={() => {
              setPlacing(!isPlacing);
              pick(null);
            }}
          />
        </aside>
        <Surface surface={surface}>
          {size.width > 0 && (
            <>
              <Ground />
              <Labels labels={labels} />
              <Marks clusters={clusters} />
              <RouteLine stops={stops} />
              <Controls />
              {hasMoved && !picking && (
                <Button className="pin across float screen-only map-search map-over" icon="search" onClick={searchArea}>
                  {t('Search this area')}
                </Button>
              )}
              <Picking />
              <Card />
            </>
          )}
        </Surface>
      </div>
      <PanelHost />
    </MapProvider>
  );
}

/** The map view: from the URL, otherwise all records. A move is written to the URL once it has ended. */
function useLook(
  search: ViewProps['search'],
  size: { readonly width: number; readonly height: number },
  spots: readonly Point[],
) {
  const [moved, setMoved] = useState<Look | null>(null);
  const [hasMoved, setHasMoved] = useState(false);
  const asked = search.extra.at;
  const written = useRef(asked);
  const start = useMemo(() => readView(asked, size) ?? fitPoints(spots, size), [asked, size, spots]);
  useEffect(() => {
    if (asked === written.current) return;
    written.current = asked;
    setMoved(null);
  }, [asked]);
  useSettled(moved, 300, (view) => {
    if (!view || viewText(view) === asked) return;
    written.current = viewText(view);
    goTo(search, { at: viewText(view) }, true);
  });
  const look = (view: Look) => {
    setMoved(view);
    setHasMoved(true);
  };
  return { view: moved ?? start, look, hasMoved, searched: () => setHasMoved(false) };
}

interface SurfaceProps {
  readonly surface: React.RefObject<HTMLDivElement | null>;
  readonly children: React.ReactNode;
}

/** The map surface, which handles pointer and keys. East is on the right in every language. */
function Surface({ surface, children }: SurfaceProps) {
  const scope = useMap();
  const { view, size, map, picking, look, choose, pick } = scope;
  const spotted = (spot: Point) => {
    if (picking) void placeRecord(scope, picking, toPlace(atScreen(view, size, spot)));
    else choose(null);
  };
  const hands = useMapGestures({ surface, view, size, look, onSpot: spotted });
  const keys = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = keyedView(event.key, view, size);
    if (next) look(next);
    else if (event.key === 'Enter' && picking) void placeRecord(scope, picking, toPlace(view));
    else if (event.key === 'Escape' && picking) pick(null);
    else return;
    event.preventDefault();
  };
  return (
    <section
      ref={surface}
      dir="ltr"
      className={`grow anchor mut clip focus-in map-surface ${picking ? 'is-picking' : ''}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: arrows move the map.
      tabIndex={0}
      aria-label={t('Map. Arrows move it, plus and minus zoom. The list has the same records.')}
      onKeyDown={keys}
      onDoubleClick={(event) => {
        if ((event.target as Element).closest('button, a, input, .map-over')) return;
        const { left, top } = event.currentTarget.getBoundingClientRect();
        look(zoomAt(view, size, { x: event.clientX - left, y: event.clientY - top }, view.zoom + 1));
      }}
      {...hands}
    >
      {children}
      <p className="tiny pin round-3 pass pad-x-1 map-credit">{creditOf(map)}</p>
    </section>
  );
}

const lengths = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

function Controls() {
  const { view, size, spots, look } = useMap();
  const middle = { x: size.width / 2, y: size.height / 2 };
  const zoom = (by: number) => look(zoomAt(view, size, middle, view.zoom + by));
  const km = kilometresPerPixel(view);
  const length = lengths.findLast((one) => one / km <= 120) ?? 1;
  return (
    <>
      <div className="column clip surface round-m pin outlined shade screen-only map-controls map-over">
        <button
          className="hovers middle mut"
          type="button"
          aria-label={t('Zoom in')}
          title={t('Zoom in')}
          onClick={() => zoom(1)}
        >
          +
        </button>
        <button
          className="hovers middle mut"
          type="button"
          aria-label={t('Zoom out')}
          title={t('Zoom out')}
          onClick={() => zoom(-1)}
        >
          −
        </button>
        <IconButton icon="target" label={t('Show all')} onClick={() => look(fitPoints(spots, size))} />
      </div>
      <p className="tiny nowrap pin pass map-scale" style={{ width: length / km }}>
        {t('{n} km', { n: formatInteger(length) })}
      </p>
    </>
  );
}

/** Explains what the next click does; with the keyboard, the centre of the map is used. */
function Picking() {
  const scope = useMap();
  const { picking, pick, map, view } = scope;
  if (!picking) return null;
  return (
    <>
      <span className="pin pass map-cross" aria-hidden="true" />
      <div
        className="row wrap round-m ink pin pad-2-3 outlined raised float map-picking map-over"
        role="status"
        dir={readingDirection()}
      >
        <span>{t('Click the position of {name}.', { name: titleOf(map, picking) })}</span>
        <Button onClick={() => void placeRecord(scope, picking, toPlace(view))}>{t('In the middle')}</Button>
        <Button kind="bare" onClick={() => pick(null)}>
          {t('Cancel')}
        </Button>
      </div>
    </>
  );
}

interface MapMenuProps extends Pick<ViewProps, 'workspace'> {
  readonly picture: (format: 'svg' | 'png') => () => void;
}

function MapMenu({ workspace, picture }: MapMenuProps) {
  const adding = useAddToBoard(workspace);
  const entries: readonly MenuEntry[] = [
    { key: 'png', label: t('Image (PNG)'), icon: 'image', run: picture('png') },
    { key: 'svg', label: t('Vector image (SVG)'), icon: 'image', run: picture('svg') },
    { key: 'print', label: t('Print'), icon: 'file-text', run: () => window.print() },
    { key: 'export', label: t('Export …'), icon: 'download', section: '', run: () => openExport(workspace, []) },
    adding.entry,
  ];
  useScreenCommands('map', entries);
  return (
    <>
      <MoreMenu entries={entries} />
      {adding.dialog}
    </>
  );
}

/** If there are too many locations, only the largest are drawn, and a note says so. */
function MapBounds({ map, total }: { readonly map: MapArch; readonly total: number }) {
  const drawn = map.rows.reduce((sum, { __count }) => sum + __count, 0);
  if (drawn >= total) return null;
  const words = { n: formatInteger(drawn), total: formatInteger(total) };
  return (
    <p className="rigid small warn pad-2-4 warned" role="status">
      {t('{n} of {total} records are on the map, at the places with most records.', words)}
    </p>
  );
}
