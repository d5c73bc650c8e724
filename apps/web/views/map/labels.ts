import { type Cluster, clusterSize } from './clusters.ts';
import { countryName } from './country-names.ts';
import { type MapView, onScreen, type Place, type Point, type Size, toPoint, worldWidth } from './mercator.ts';
import type { World } from './world.ts';

export interface City extends Place {
  readonly name: string;
  readonly country: string;
  readonly population: number;
}

/** A name on the map, centred on its point. */
export interface Label extends Point {
  readonly text: string;
  readonly kind: 'country' | 'city';
  /** A city without a marker of its own gets a dot. */
  readonly hasDot: boolean;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

interface Shown {
  readonly view: MapView;
  readonly size: Size;
  readonly world: World | null;
  readonly cities: readonly City[];
  readonly clusters: readonly Cluster[];
}

/** Labels that fit: first cities below markers, then countries, then other cities by size. */
export function labelsOf({ view, size, world, cities, clusters }: Shown): readonly Label[] {
  const marks = clusters.map((cluster) => ({ cluster, ...onScreen(view, size, cluster.at) }));
  const taken: Box[] = marks.map(({ cluster, x, y }) => {
    // A pin stands on its point, a circle is centred on it.
    if (cluster.count === 1) return { left: x - 11, right: x + 11, top: y - 28, bottom: y + 2 };
    const half = clusterSize(cluster.count) / 2 + 4;
    return { left: x - half, right: x + half, top: y - half, bottom: y + half };
  });
  const labels: Label[] = [];
  const put = (label: Label) => {
    const box = boxOf(label);
    const isInside = box.left > 2 && box.right < size.width - 2 && box.top > 2 && box.bottom < size.height - 2;
    if (!isInside || taken.some((one) => meets(one, box))) return;
    taken.push(box);
    labels.push(label);
  };
  const spots = cities.map((city) => ({ city, ...onScreen(view, size, toPoint(city)) }));
  const named = new Set<City>();
  for (const { cluster, x, y } of marks) {
    const near = nearestTo(spots, x, y);
    if (!near || named.has(near.city)) continue;
    named.add(near.city);
    const below = cluster.count === 1 ? 12 : clusterSize(cluster.count) / 2 + 12;
    put({ text: near.city.name, kind: 'city', hasDot: false, x, y: y + below });
  }
  for (const country of view.zoom < 7 ? (world ?? []) : []) {
    const text = countryName(country);
    if (country.middle.width * worldWidth(view.zoom) < text.length * 8) continue;
    put({ text, kind: 'country', hasDot: false, ...onScreen(view, size, country.middle) });
  }
  for (const { city, x, y } of view.zoom > 4 ? spots : []) {
    if (!named.has(city)) put({ text: city.name, kind: 'city', hasDot: true, x, y: y + 10 });
  }
  return labels;
}

/** The nearest of the cities that a marker could stand for. */
function nearestTo<S extends Point>(spots: readonly S[], x: number, y: number): S | undefined {
  const away = (spot: S) => Math.hypot(spot.x - x, spot.y - y);
  const near = spots.filter((spot) => away(spot) < 14);
  return near.sort((a, b) => away(a) - away(b))[0];
}

function boxOf({ x, y, text, kind }: Label): Box {
  const half = (text.length * (kind === 'country' ? 6.6 : 6)) / 2 + 3;
  return { left: x - half, right: x + half, top: y - 8, bottom: y + 8 };
}

function meets(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
