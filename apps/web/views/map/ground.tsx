import { type CSSProperties, useEffect, useReducer, useRef } from 'react';
import { onMediaChange } from '../../door/index.ts';
import { useMap } from './map-context.ts';
import { type MapView, type Size, worldWidth } from './mercator.ts';
import { type World, worldFor } from './world.ts';

/** Sea, land and borders from bundled data; tiles on top of them if a tile server is configured. */
export function Ground() {
  const { view, size, map } = useMap();
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawings, redraw] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    const observer = new MutationObserver(redraw);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    const forget = onMediaChange('(prefers-color-scheme: dark)', redraw);
    return () => {
      observer.disconnect();
      forget();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme, or finer outlines, are drawn anew.
  useEffect(() => {
    const { world, better } = worldFor(view.zoom);
    let isOver = false;
    better?.then(
      () => !isOver && redraw(),
      () => {},
    );
    if (world && canvas.current) draw(canvas.current, world, view, size);
    return () => {
      isOver = true;
    };
  }, [view, size, drawings]);
  return (
    <>
      <canvas ref={canvas} className="full tall pin cover map-ground" />
      {map.tiles && <Tiles address={map.tiles.address} {...{ view, size }} />}
    </>
  );
}

/** The visible parts of countries, including the copies of the world to the left and right. */
export function seenParts(world: World, view: MapView, { width, height }: Size) {
  const across = worldWidth(view.zoom);
  const [right, down] = [width / 2 / across, height / 2 / across];
  return [-1, 0, 1].flatMap((copy) =>
    world
      .filter(({ box: [west, north, east, south] }) => {
        const isBeside = east + copy < view.x - right || west + copy > view.x + right;
        return !isBeside && south >= view.y - down && north <= view.y + down;
      })
      .map((country) => ({ country, copy })),
  );
}

function draw(canvas: HTMLCanvasElement, world: World, view: MapView, { width, height }: Size): void {
  const density = window.devicePixelRatio || 1;
  if (canvas.width !== width * density || canvas.height !== height * density) {
    canvas.width = width * density;
    canvas.height = height * density;
  }
  const pen = canvas.getContext('2d');
  if (!pen) return;
  const { color, borderTopColor } = getComputedStyle(canvas);
  const across = worldWidth(view.zoom);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  pen.clearRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = color;
  pen.strokeStyle = borderTopColor;
  pen.lineJoin = 'round';
  pen.lineWidth = 0.8 / across;
  for (const { country, copy } of seenParts(world, view, { width, height })) {
    const scale = across * density;
    const left = (width / 2) * density - (view.x - copy) * scale;
    pen.setTransform(scale, 0, 0, scale, left, (height / 2) * density - view.y * scale);
    pen.fill(country.shape);
    pen.stroke(country.shape);
  }
}

interface TilesProps {
  readonly address: string;
  readonly view: MapView;
  readonly size: Size;
}

/** Tile images; where one fails to load, the outlines below stay visible. */
function Tiles({ address, view, size }: TilesProps) {
  const zoom = Math.max(0, Math.round(view.zoom));
  const count = 2 ** zoom;
  const across = worldWidth(view.zoom);
  const side = across / count;
  const first = (middle: number, length: number) => Math.floor((middle - length / 2 / across) * count);
  const last = (middle: number, length: number) => Math.floor((middle + length / 2 / across) * count);
  const tiles: { readonly column: number; readonly row: number }[] = [];
  for (let row = Math.max(0, first(view.y, size.height)); row <= Math.min(count - 1, last(view.y, size.height)); row++)
    for (let column = first(view.x, size.width); column <= last(view.x, size.width); column++)
      tiles.push({ column, row });
  return (
    <div className="pin cover clip pass map-tiles" aria-hidden="true">
      {tiles.map(({ column, row }) => (
        <img
          className="pin"
          key={`${zoom}/${column}/${row}`}
          src={tileAddress(address, { zoom, column: ((column % count) + count) % count, row })}
          alt=""
          draggable={false}
          referrerPolicy="no-referrer"
          onError={(event) => event.currentTarget.remove()}
          style={tileStyle({ column, row, side }, view, size)}
        />
      ))}
    </div>
  );
}

function tileAddress(address: string, tile: { readonly zoom: number; readonly column: number; readonly row: number }) {
  return address.replace('{z}', String(tile.zoom)).replace('{x}', String(tile.column)).replace('{y}', String(tile.row));
}

function tileStyle(
  { column, row, side }: { readonly column: number; readonly row: number; readonly side: number },
  view: MapView,
  { width, height }: Size,
): CSSProperties {
  const across = worldWidth(view.zoom);
  const [left, top] = [width / 2 - view.x * across + column * side, height / 2 - view.y * across + row * side];
  return { width: side + 0.5, height: side + 0.5, transform: `translate(${left}px, ${top}px)` };
}
