import type { Model } from '@kontor/orm';
import { inEnglish, type Translate, type ViewType, viewTypes } from '@kontor/protocol';
import type { ViewKind } from '../view-kind.ts';
import type { ViewNode } from '../view-node.ts';
import { generateCohort, generateGraph, generatePivot } from './generate-aggregates.ts';
import { generateForm } from './generate-form.ts';
import { generateKanban } from './generate-kanban.ts';
import { generateList } from './generate-list.ts';
import { generateCalendar, generateGantt, generateMap } from './generate-planning.ts';
import { generateSearch } from './generate-search.ts';

const generators: Readonly<Record<ViewKind, (model: Model, translate: Translate) => ViewNode | null>> = {
  list: generateList,
  form: generateForm,
  kanban: generateKanban,
  graph: generateGraph,
  pivot: generatePivot,
  calendar: generateCalendar,
  gantt: generateGantt,
  map: generateMap,
  cohort: generateCohort,
  search: generateSearch,
};

/**
 * A sensible view for a model that has none of the type; null where the model has no fields that fit it. `translate` is for
 * the few words of its own; labels are the model's.
 */
export function generateView(model: Model, type: ViewKind, translate: Translate = inEnglish): ViewNode | null {
  return generators[type](model, translate);
}

/** The view types that a model can be shown in without a view of its own. */
export function generatedTypes(model: Model): readonly ViewType[] {
  return viewTypes.filter((type) => generators[type](model, inEnglish) !== null);
}
