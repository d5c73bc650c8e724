import fine from 'world-atlas/countries-10m.json?url';
import usual from 'world-atlas/countries-50m.json?url';
import coarse from 'world-atlas/countries-110m.json?url';
import { whileBusy } from '../../door/index.ts';
import { type Point, toPoint } from './mercator.ts';

/** The outlines of one country, in the coordinates of `mercator.ts`. */
export interface Country {
  /** ISO 3166 numeric code; absent for some disputed areas. */
  readonly id: string | undefined;
  readonly name: string;
  readonly rings: readonly (readonly Point[])[];
  readonly shape: Path2D;
  /** West, north, east, south. */
  readonly box: readonly [number, number, number, number];
  /** The position of its name, and the width of the land there. */
  readonly middle: Point & { readonly width: number };
}
export type World = readonly Country[];

/** Levels of detail: for the world, for a continent, for a city. */
const levels = [
  { from: 0, address: coarse },
  { from: 2.6, address: usual },
  { from: 6.4, address: fine },
] as const;

const loaded = new Map<number, World>();
const loading = new Map<number, Promise<void>>();

/** The best outlines loaded for the zoom, and a promise of better ones. */
export function worldFor(zoom: number): { readonly world: World | null; readonly better: Promise<void> | null } {
  const wanted = levels.findLastIndex(({ from }) => zoom >= from);
  const world = loaded.get(wanted);
  if (world) return { world, better: null };
  const others = [wanted - 1, wanted + 1, wanted - 2, wanted + 2].map((level) => loaded.get(level));
  return { world: others.find((one) => one !== undefined) ?? null, better: load(wanted) };
}

function load(level: number): Promise<void> {
  const known = loading.get(level);
  if (known) return known;
  const made = whileBusy(fetchWorld((levels[level] as (typeof levels)[number]).address)).then((world) => {
    loaded.set(level, world);
  });
  made.catch(() => loading.delete(level));
  loading.set(level, made);
  return made;
}

async function fetchWorld(address: string): Promise<World> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return readTopology((await answer.json()) as Topology);
}

/**
 * The subset of TopoJSON that these files use: neighbours share lines, and each point is relative to the previous one.
 */
interface Topology {
  readonly arcs: readonly (readonly (readonly [number, number])[])[];
  readonly transform: { readonly scale: readonly [number, number]; readonly translate: readonly [number, number] };
  readonly objects: { readonly countries: { readonly geometries: readonly Geometry[] } };
}
type Ring = readonly number[];
type Geometry = { readonly id?: string; readonly properties: { readonly name: string } } & (
  | { readonly type: 'Polygon'; readonly arcs: readonly Ring[] }
  | { readonly type: 'MultiPolygon'; readonly arcs: readonly (readonly Ring[])[] }
);

function readTopology({ arcs, transform, objects }: Topology): World {
  const { scale, translate } = transform;
  const lines = arcs.map((arc) => {
    let [x, y] = [0, 0];
    return arc.map(([right, up]) => {
      x += right;
      y += up;
      return toPoint({ longitude: x * scale[0] + translate[0], latitude: y * scale[1] + translate[1] });
    });
  });
  const toRing = (ring: Ring) =>
    ring.flatMap((index, at) => {
      const line = index < 0 ? (lines[~index] as Point[]).toReversed() : (lines[index] as Point[]);
      return at === 0 ? line : line.slice(1);
    });
  return objects.countries.geometries.map((geometry) => {
    const polygons = geometry.type === 'Polygon' ? [geometry.arcs] : geometry.arcs;
    return toCountry(
      geometry,
      polygons.flat().map((ring) => unbroken(toRing(ring))),
    );
  });
}

/**
 * Continues a coast across the date line beyond the edge of the square, and closes one that encircles a pole at the
 * pole.
 */
function unbroken(ring: readonly Point[]): readonly Point[] {
  let turns = 0;
  const points = ring.map(({ x, y }, at) => {
    const step = at === 0 ? 0 : x - (ring[at - 1] as Point).x;
    if (Math.abs(step) > 0.5) turns -= Math.sign(step);
    return { x: x + turns, y };
  });
  const [first, last] = [points[0] as Point, points.at(-1) as Point];
  if (Math.abs(last.x - first.x) < 0.5) return points;
  const pole = first.y > 0.5 ? 1 : 0;
  return [...points, { x: last.x, y: pole }, { x: first.x, y: pole }];
}

function toCountry({ id, properties }: Geometry, rings: readonly (readonly Point[])[]): Country {
  const shape = new Path2D();
  for (const ring of rings) {
    for (const [at, { x, y }] of ring.entries()) at === 0 ? shape.moveTo(x, y) : shape.lineTo(x, y);
    shape.closePath();
  }
  const points = rings.flat();
  const box = [Infinity, Infinity, -Infinity, -Infinity] as [number, number, number, number];
  for (const { x, y } of points) {
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x);
    box[3] = Math.max(box[3], y);
  }
  return { id, name: properties.name, rings, shape, box, middle: middleOf(rings) };
}

/** The middle of the largest polygon. */
function middleOf(rings: readonly (readonly Point[])[]): Country['middle'] {
  let [largest, middle] = [-1, { x: 0, y: 0, width: 0 }];
  for (const ring of rings) {
    let [area, x, y, west, east] = [0, 0, 0, 1, 0];
    for (const [at, a] of ring.entries()) {
      const b = ring[(at + 1) % ring.length] as Point;
      const cross = a.x * b.y - b.x * a.y;
      area += cross;
      x += (a.x + b.x) * cross;
      y += (a.y + b.y) * cross;
      west = Math.min(west, a.x);
      east = Math.max(east, a.x);
    }
    if (Math.abs(area) <= largest || area === 0) continue;
    largest = Math.abs(area);
    middle = { x: x / (3 * area), y: y / (3 * area), width: east - west };
  }
  return middle;
}
