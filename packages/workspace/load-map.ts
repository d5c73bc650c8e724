import { condition, conjoin, type DomainNode, disjoin, invalidArgs, type MapArch } from '@kontor/protocol';
import type { ViewData, ViewRequest } from './view-request.ts';

const maxPoints = 2_000;

/** Records with a place, inside the corners `from` (south-west) and `to` (north-east) when they are given. */
export async function loadMap({ env, model, arch, search, projection, query }: ViewRequest): Promise<ViewData> {
  const map = arch.map as MapArch;
  const domain = conjoin(
    search.domain,
    // Not "is not empty": through a relation that would hold of records that lead nowhere.
    condition(map.latitude, '>=', -90),
    condition(map.longitude, '>=', -180),
    ...inside(map, corner(query.from, 'from'), corner(query.to, 'to')),
  );
  const records = env.model(model.name);
  const order = search.order === undefined ? {} : { order: search.order };
  const rows = await records.searchRead(domain, projection, { limit: maxPoints, ...order });
  return { records: rows, total: rows.length < maxPoints ? rows.length : await records.count(domain) };
}

type Corner = readonly [latitude: number, longitude: number];

function corner(text: string | null, name: 'from' | 'to'): Corner | null {
  if (text === null) return null;
  const [latitude = Number.NaN, longitude = Number.NaN, ...rest] = text.split(',').map(Number);
  if (rest.length === 0 && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return [latitude, longitude];
  throw invalidArgs(`${name} must be a latitude and a longitude, such as 48.2,16.4.`, { field: name });
}

function inside(map: MapArch, from: Corner | null, to: Corner | null): readonly DomainNode[] {
  if (from === null || to === null) return [];
  const [west, east] = [condition(map.longitude, '>=', from[1]), condition(map.longitude, '<=', to[1])];
  // A window over the date line has its west in the east.
  const across = from[1] > to[1] ? disjoin(west, east) : conjoin(west, east);
  return [condition(map.latitude, '>=', from[0]), condition(map.latitude, '<=', to[0]), across];
}
