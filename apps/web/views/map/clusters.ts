import type { MapArch } from '../../door/index.ts';
import { type Place, type Point, toPoint, worldWidth } from './mercator.ts';

/** Records at one location. */
export interface Spot extends Place, Point {
  readonly key: string;
  readonly count: number;
}
/** Locations that would overlap on screen, at the position of the largest one. */
export interface Cluster {
  readonly at: Spot;
  readonly spots: readonly Spot[];
  readonly count: number;
}

export function spotKey(latitude: unknown, longitude: unknown): string {
  return `${latitude},${longitude}`;
}

/** The locations counted by the database, the largest first. */
export function spotsOf({ rows, latitude, longitude }: MapArch): readonly Spot[] {
  return rows.map((row) => {
    const place = { latitude: Number(row[latitude]), longitude: Number(row[longitude]) };
    return { ...place, ...toPoint(place), key: spotKey(place.latitude, place.longitude), count: row.__count };
  });
}

/** Locations within this distance, in pixels, form a cluster. */
const reach = 46;

export function clusterSpots(spots: readonly Spot[], zoom: number): readonly Cluster[] {
  const cell = reach / worldWidth(zoom);
  const grid = new Map<string, Spot[]>();
  const cellOf = ({ x, y }: Point) => [Math.floor(x / cell), Math.floor(y / cell)] as const;
  for (const spot of spots) {
    const key = cellOf(spot).join();
    grid.set(key, [...(grid.get(key) ?? []), spot]);
  }
  const taken = new Set<Spot>();
  const clusters: Cluster[] = [];
  for (const at of spots) {
    if (taken.has(at)) continue;
    const [column, row] = cellOf(at);
    const around = [-1, 0, 1].flatMap((right) =>
      [-1, 0, 1].flatMap((down) => grid.get(`${column + right},${row + down}`) ?? []),
    );
    const near = around.filter((one) => !taken.has(one) && Math.hypot(one.x - at.x, one.y - at.y) <= cell);
    for (const one of near) taken.add(one);
    clusters.push({ at, spots: near, count: near.reduce((sum, { count }) => sum + count, 0) });
  }
  return clusters;
}

/** Diameter in pixels, by the number of records. */
export function clusterSize(count: number): number {
  return Math.min(52, 26 + Math.log10(count) * 12);
}
