import { checkModelAccess } from '@kontor/orm';
import {
  type Arch,
  condition,
  conjoin,
  type DomainNode,
  disjoin,
  invalidArgs,
  type MapArch,
  type ViewType,
} from '@kontor/protocol';
import { loadCohort, loadGraph, loadPivot } from './load-aggregates.ts';
import { loadKanban } from './load-kanban.ts';
import { loadList } from './load-list.ts';
import { loadCalendar, loadGantt } from './load-planning.ts';
import { stageSteps } from './stage-steps.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

const loaders: Readonly<Record<ViewType, (request: ViewRequest) => Promise<ViewData>>> = {
  list: loadList,
  form: loadForm,
  kanban: loadKanban,
  graph: loadGraph,
  pivot: loadPivot,
  calendar: loadCalendar,
  gantt: loadGantt,
  map: loadMap,
  cohort: loadCohort,
};

export function loadView(type: ViewType, request: ViewRequest): Promise<ViewData> {
  return loaders[type](request);
}

/** That record alone: one that a rule hides is ACCESS_DENIED, one that does not exist NOT_FOUND. A new form has none. */
async function loadForm(request: ViewRequest): Promise<ViewData> {
  const { env, model, projection, query } = request;
  if (query.id === null) {
    checkModelAccess(env, model, 'create');
    return { records: [], total: 0, arch: await stageSteps(request) };
  }
  const paths = projection.includes('display_name') ? projection : [...projection, 'display_name'];
  const [records, steps] = await Promise.all([env.model(model.name).read([query.id], paths), stageSteps(request)]);
  const pager = await formPager(request, query.id);
  return { records, total: pager?.total ?? 1, arch: { ...steps, ...(pager ? { pager } : {}) } };
}

/**
 * Where a record stands in the list it was opened from. Looked for on the page that the query names and the pages beside it,
 * so that it costs what a list costs, however long the list is; none when it is not there.
 */
async function formPager(
  { env, model, search, page }: ViewRequest,
  id: number,
): Promise<NonNullable<Arch['pager']> | null> {
  const records = env.model(model.name);
  const first = Math.max(0, page.offset - page.limit);
  const order = search.order === undefined ? {} : { order: search.order };
  const [ids, total] = await Promise.all([
    records.search(search.domain, { offset: first, limit: 3 * page.limit, ...order }),
    records.count(search.domain),
  ]);
  const at = ids.indexOf(id);
  if (at < 0) return null;
  return { position: first + at + 1, total, previous: ids[at - 1] ?? null, next: ids[at + 1] ?? null };
}

const maxPoints = 2_000;

/** Records with a place, inside the corners `from` (south-west) and `to` (north-east) when they are given. */
async function loadMap({ env, model, arch, search, projection, query }: ViewRequest): Promise<ViewData> {
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
