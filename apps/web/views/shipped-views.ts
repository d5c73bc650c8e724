import { calendarView } from './calendar/index.ts';
import { cohortView } from './cohort/index.ts';
import type { ViewDefinition } from './define-view.ts';
import { formView } from './form/index.ts';
import { ganttView } from './gantt/index.ts';
import { graphView } from './graph/index.ts';
import { kanbanView } from './kanban/index.ts';
import { listView } from './list/index.ts';
import { mapView } from './map/index.ts';
import { pivotView } from './pivot/index.ts';
import { addView } from './view-lookup.ts';

/** Every view the client ships, in one list. An addon's own come by `addView`. */
const shipped: readonly ViewDefinition[] = [
  listView,
  formView,
  kanbanView,
  graphView,
  pivotView,
  cohortView,
  calendarView,
  ganttView,
  mapView,
];

export function registerShippedViews(): void {
  for (const definition of shipped) addView(definition);
}
