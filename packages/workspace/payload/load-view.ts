import { checkModelAccess } from '@kontor/orm';
import type { Arch, ViewType } from '@kontor/protocol';
import { loadCohort, loadGraph, loadPivot } from './load-aggregates.ts';
import { loadKanban } from './load-kanban.ts';
import { loadList } from './load-list.ts';
import { loadMap } from './load-map.ts';
import { loadCalendarScreen, loadGantt } from './load-planning.ts';
import { stageSteps } from './stage-steps.ts';
import type { ViewData, ViewRequest } from './view-request.ts';

const loaders: Readonly<Record<ViewType, (request: ViewRequest) => Promise<ViewData>>> = {
  list: loadList,
  form: loadForm,
  kanban: loadKanban,
  graph: loadGraph,
  pivot: loadPivot,
  calendar: loadCalendarScreen,
  gantt: loadGantt,
  map: loadMap,
  cohort: loadCohort,
};

export function loadView(type: ViewType, request: ViewRequest): Promise<ViewData> {
  return loaders[type](request);
}

/** Only that record: a hidden one is ACCESS_DENIED, a missing one NOT_FOUND. A new form has none. */
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
 * The position of a record in the list it was opened from. It is searched on the page in the query and the pages next to it, so
 * that it costs as much as a list, whatever its length; null if it is not found there.
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
