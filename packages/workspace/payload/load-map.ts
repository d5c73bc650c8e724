import {
  condition,
  conjoin,
  type DomainNode,
  disjoin,
  type GroupRow,
  invalidArgs,
  type MapArch,
  negate,
  serializeDomain,
} from '@kontor/protocol';
import { maxPage } from '../query/workspace-query.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

/** More locations cannot be told apart; the largest come first. */
const maxPlaces = 5_000;

/**
 * The number of records per location, the first of them, and how many have none. Restricted to `area` (south, west,
 * north, east) or the corners `from` (south-west) and `to` (north-east), if given.
 */
export async function loadMap(request: ViewRequest): Promise<ViewData> {
  const { env, model, arch, search, projection } = request;
  const map = arch.map as MapArch;
  const { placed, unplaced } = domainsOf(map, request);
  const records = env.model(model.name);
  const order = search.order === undefined ? {} : { order: search.order };
  const groupby = [map.latitude, map.longitude];
  const [rows, first, without] = await Promise.all([
    records.readGroup({ domain: placed, groupby, fields: [], order: '-__count', limit: maxPlaces }),
    records.searchRead(placed, projection, { limit: maxPage, ...order }),
    records.count(unplaced),
  ]);
  const onMap = rows.reduce((sum, row) => sum + row.__count, 0);
  return {
    records: first,
    total: rows.length < maxPlaces ? onMap : await records.count(placed),
    arch: { map: mapWith(request, { placed, unplaced }, { rows, unplaced: without }) },
  };
}

/** The maximum number of locations on a board tile. */
const tilePlaces = 2_000;

/** The same without records, in one statement: records without a position are their own group. */
export async function loadPlaces(request: ViewRequest): Promise<ViewData> {
  const { env, model, arch } = request;
  const map = arch.map as MapArch;
  const { placed, unplaced, all } = domainsOf(map, request);
  const rows = await env.model(model.name).readGroup({
    domain: all,
    groupby: [map.latitude, map.longitude],
    subtotals: [[]],
    fields: [],
    order: '-__count',
    limit: tilePlaces,
  });
  const isEmpty = (value: unknown) => value === null || value === undefined;
  const isOnMap = (row: GroupRow) => !isEmpty(row[map.latitude]) && !isEmpty(row[map.longitude]);
  const whole = rows.find((row) => !(map.latitude in row))?.__count ?? 0;
  // With more locations than this, those without a position may have been cut off.
  const without =
    rows.length < tilePlaces
      ? rows.filter((row) => map.latitude in row && !isOnMap(row)).reduce((sum, { __count }) => sum + __count, 0)
      : await env.model(model.name).count(unplaced);
  const found = { rows: rows.filter(isOnMap), unplaced: without };
  return { records: [], total: whole - without, arch: { map: mapWith(request, { placed, unplaced }, found) } };
}

interface MapDomains {
  readonly placed: DomainNode;
  readonly unplaced: DomainNode;
  /** Both domains, as the search defines them without an area. */
  readonly all: DomainNode;
}

function domainsOf(map: MapArch, { search, query }: ViewRequest): MapDomains {
  // Not "is not empty": through a relation, that would match records without a related record.
  const hasPlace = conjoin(condition(map.latitude, '>=', -90), condition(map.longitude, '>=', -180));
  const corners = query.area === null ? [corner(query.from, 'from'), corner(query.to, 'to')] : areaCorners(query.area);
  const within = inside(map, corners);
  return {
    placed: conjoin(search.domain, hasPlace, ...within),
    unplaced: conjoin(search.domain, negate(hasPlace)),
    all: within.length === 0 ? search.domain : conjoin(search.domain, disjoin(conjoin(...within), negate(hasPlace))),
  };
}

function mapWith(
  { arch, config }: ViewRequest,
  { placed, unplaced }: Pick<MapDomains, 'placed' | 'unplaced'>,
  found: Pick<MapArch, 'rows' | 'unplaced'>,
): MapArch {
  return {
    ...(arch.map as MapArch),
    ...found,
    domains: { placed: serializeDomain(placed), unplaced: serializeDomain(unplaced) },
    ...(config.mapTiles === '' ? {} : { tiles: { address: config.mapTiles, credit: config.mapTilesCredit } }),
  };
}

type Corner = readonly [latitude: number, longitude: number];

function corner(text: string | null, name: 'from' | 'to'): Corner | null {
  if (text === null) return null;
  const [latitude = Number.NaN, longitude = Number.NaN, ...rest] = text.split(',').map(Number);
  if (rest.length === 0 && isPlace(latitude, longitude)) return [latitude, longitude];
  throw invalidArgs(`${name} must be a latitude and a longitude, such as 48.2,16.4.`, { field: name });
}

function areaCorners(text: string): readonly [Corner, Corner] {
  const [south = Number.NaN, west = Number.NaN, north = Number.NaN, east = Number.NaN, ...rest] = text
    .split(',')
    .map(Number);
  if (rest.length === 0 && isPlace(south, west) && isPlace(north, east) && south <= north) {
    return [
      [south, west],
      [north, east],
    ];
  }
  throw invalidArgs('area must be south, west, north and east, such as 47.2,5.8,55.1,15.1.', { field: 'area' });
}

function isPlace(latitude: number, longitude: number): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}

function inside(map: MapArch, [from, to]: readonly (Corner | null | undefined)[]): readonly DomainNode[] {
  if (!from || !to) return [];
  const [west, east] = [condition(map.longitude, '>=', from[1]), condition(map.longitude, '<=', to[1])];
  // West can be greater than east for an area across the date line.
  const across = from[1] > to[1] ? disjoin(west, east) : conjoin(west, east);
  return [condition(map.latitude, '>=', from[0]), condition(map.latitude, '<=', to[0]), across];
}
