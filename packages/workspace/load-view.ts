import type { ViewType } from '@kontor/protocol';
import { loadCohort, loadGraph, loadPivot } from './load-aggregates.ts';
import { loadForm } from './load-form.ts';
import { loadKanban } from './load-kanban.ts';
import { loadList } from './load-list.ts';
import { loadMap } from './load-map.ts';
import { loadCalendar, loadGantt } from './load-planning.ts';
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
