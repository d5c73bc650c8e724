import type { ViewDefinition } from '../workspace/define-view.ts';
import { addView } from '../workspace/view-lookup.ts';
import { ListView } from './list/view.tsx';

/** Every view the client ships, in one list. An addon's own come by `addView`. */
const shipped: readonly ViewDefinition[] = [
  { type: 'list', label: 'List', icon: 'list', component: ListView },
  {
    ...{ type: 'form', label: 'Form', icon: 'file-text' },
    load: async () => (await import('./form/view.tsx')).FormView,
    loadDiscussion: async () => (await import('./form/chatter/discussion.tsx')).Discussion,
    loadPanel: async () => (await import('./form/panel.tsx')).PanelForm,
  },
  {
    ...{ type: 'kanban', label: 'Kanban', icon: 'square-kanban' },
    load: async () => (await import('./kanban/view.tsx')).KanbanView,
  },
  {
    ...{ type: 'graph', label: 'Graph', icon: 'chart-column' },
    load: async () => (await import('./graph/view.tsx')).GraphView,
  },
  {
    ...{ type: 'pivot', label: 'Pivot', icon: 'table-2' },
    load: async () => (await import('./pivot/view.tsx')).PivotView,
  },
  {
    ...{ type: 'cohort', label: 'Cohort', icon: 'repeat' },
    load: async () => (await import('./cohort/view.tsx')).CohortView,
  },
  {
    ...{ type: 'calendar', label: 'Calendar', icon: 'calendar' },
    load: async () => (await import('./calendar/view.tsx')).CalendarView,
  },
  {
    ...{ type: 'gantt', label: 'Gantt', icon: 'chart-gantt' },
    load: async () => (await import('./gantt/view.tsx')).GanttView,
  },
  { ...{ type: 'map', label: 'Map', icon: 'map' }, load: async () => (await import('./map/view.tsx')).MapView },
];

export function registerShippedViews(): void {
  for (const definition of shipped) addView(definition);
}
