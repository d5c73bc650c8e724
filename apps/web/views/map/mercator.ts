/** Latitude and longitude, in degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}
/** A point on the Web Mercator square, as used by tiles: 0,0 is the north-west corner, 1,1 the south-east corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}
export interface Size {
  readonly width: number;
  readonly height: number;
}
/** The centre and zoom of the map. At zoom 0 the square is 256 pixels wide; its width doubles with each step. */
export interface MapView extends Point {
  readonly zoom: number;
}

const tile = 256;
export const nearest = 12;
const mostNorthern = 85.0511;
const degree = Math.PI / 180;

export function toPoint({ latitude, longitude }: Place): Point {
  const north = Math.max(-mostNorthern, Math.min(mostNorthern, latitude)) * degree;
  return { x: longitude / 360 + 0.5, y: 0.5 - Math.asinh(Math.tan(north)) / (2 * Math.PI) };
}

export function toPlace({ x, y }: Point): Place {
  return {
    latitude: Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) / degree,
    longitude: ((((x % 1) + 1) % 1) - 0.5) * 360,
  };
}

/** The width of the square in pixels. */
export function worldWidth(zoom: number): number {
  return tile * 2 ** zoom;
}

/** The screen position of a point, on the copy of the world that is nearest to the centre. */
export function onScreen(view: MapView, { width, height }: Size, point: Point): Point {
  const world = worldWidth(view.zoom);
  const away = point.x - view.x;
  return { x: width / 2 + (away - Math.round(away)) * world, y: height / 2 + (point.y - view.y) * world };
}

export function atScreen(view: MapView, { width, height }: Size, spot: Point): Point {
  const world = worldWidth(view.zoom);
  return { x: view.x + (spot.x - width / 2) / world, y: view.y + (spot.y - height / 2) / world };
}

/** Limits the view: not further out than the whole world, and not beyond the poles. */
export function withinWorld(view: MapView, { height }: Size): MapView {
  const furthest = Math.max(0.5, Math.log2(height / tile));
  const zoom = Math.max(furthest, Math.min(nearest, view.zoom));
  const half = Math.min(0.5, height / 2 / worldWidth(zoom));
  return { x: ((view.x % 1) + 1) % 1, y: Math.max(half, Math.min(1 - half, view.y)), zoom };
}

/** Changes the zoom and keeps the given screen position in place. */
export function zoomAt(view: MapView, size: Size, spot: Point, zoom: number): MapView {
  const kept = atScreen(view, size, spot);
  const next = withinWorld({ ...view, zoom }, size);
  const world = worldWidth(next.zoom);
  const middle = { x: kept.x - (spot.x - size.width / 2) / world, y: kept.y - (spot.y - size.height / 2) / world };
  return withinWorld({ ...middle, zoom: next.zoom }, size);
}

/** A view of all points with some margin. */
export function fitPoints(points: readonly Point[], size: Size, most = 7): MapView {
  const [first] = points;
  if (!first) return withinWorld({ x: 0.53, y: 0.36, zoom: 2 }, size);
  // Across the date line if that is shorter.
  const near = (x: number) => x - Math.round(x - first.x);
  const [xs, ys] = [points.map(({ x }) => near(x)), points.map(({ y }) => y)];
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const room = (length: number, span: number) => Math.log2(Math.max(60, length - 150) / tile / Math.max(span, 1e-9));
  const zoom = Math.min(most, room(size.width, east - west), room(size.height, south - north));
  return withinWorld({ x: (west + east) / 2, y: (north + south) / 2, zoom }, size);
}

/** South, west, north and east of the view, as the server expects them. */
export function areaOf(view: MapView, size: Size): string {
  const [a, b] = [atScreen(view, size, { x: 0, y: size.height }), atScreen(view, size, { x: size.width, y: 0 })];
  const [low, high] = [toPlace({ ...a, y: Math.min(1, a.y) }), toPlace({ ...b, y: Math.max(0, b.y) })];
  const isWhole = b.x - a.x >= 1;
  const sides = [low.latitude, isWhole ? -180 : low.longitude, high.latitude, isWhole ? 180 : high.longitude];
  return sides.map((side) => side.toFixed(4)).join(',');
}

/** As written in the URL. */
export function viewText(view: MapView): string {
  const { latitude, longitude } = toPlace(view);
  return `${latitude.toFixed(4)},${longitude.toFixed(4)},${view.zoom.toFixed(2)}`;
}

export function readView(text: string | undefined, size: Size): MapView | null {
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN] = (text ?? '').split(',').map(Number);
  if (![latitude, longitude, zoom].every(Number.isFinite)) return null;
  return withinWorld({ ...toPoint({ latitude, longitude }), zoom }, size);
}

const earthKm = 6371;

/** The great-circle distance. */
export function kilometres(a: Place, b: Place): number {
  const [north, east] = [(b.latitude - a.latitude) * degree, (b.longitude - a.longitude) * degree];
  const bow =
    Math.sin(north / 2) ** 2 + Math.cos(a.latitude * degree) * Math.cos(b.latitude * degree) * Math.sin(east / 2) ** 2;
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(bow)));
}

/** Kilometres per pixel at the centre of the map. */
export function kilometresPerPixel(view: MapView): number {
  return (2 * Math.PI * earthKm * Math.cos(toPlace(view).latitude * degree)) / worldWidth(view.zoom);
}
