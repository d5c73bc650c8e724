import type { Field, Model } from '@kontor/orm';
import { inEnglish, type Translate, type ViewType, viewTypes } from '@kontor/protocol';
import type { ViewKind, ViewNode } from '../view-node.ts';
import { generateCohort, generateGraph, generatePivot } from './generate-aggregates.ts';
import { generateForm } from './generate-form.ts';
import { generateCalendar, generateGantt, generateMap } from './generate-planning.ts';
import { generateSearch } from './generate-search.ts';
import {
  fieldsOfKind,
  isDull,
  measureField,
  nameField,
  ownerField,
  sequenceField,
  statusField,
} from './main-fields.ts';
import { nodeMaker, rootOf } from './make-node.ts';

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

const shown = 7;
const offered = 14;

/** Short enough for a cell. */
function fitsColumn({ isShort, isChoice, isToOne, isDate, isNumber, isBoolean, isLinks }: Field['kind']): boolean {
  return isShort || isChoice || isToOne || isDate || isNumber || isBoolean || isLinks;
}

/** The main fields of a model as columns; some more that people may switch on. */
function generateList(model: Model, translate: Translate): ViewNode {
  const make = nodeMaker(model);
  const name = nameField(model);
  const handle = sequenceField(model);
  const others = fieldsOfKind(model, fitsColumn).filter((field) => field !== name && field !== handle);
  const fields = [...others.filter((field) => !isDull(field)), ...others.filter((field) => isDull(field))];
  const isNamed = name !== null || others.some((field) => field.kind.isShort);
  const first = name || !isNamed ? [make('field', { name: name?.name ?? 'display_name' })] : [];
  const columns = fields.slice(0, offered).map((field, index) =>
    make('field', {
      name: field.name,
      ...columnLook(field, translate),
      optional: index < shown && !isDull(field) ? undefined : 'hide',
    }),
  );
  return rootOf(make, model, 'list', [...first, ...columns], { handle: handle?.name });
}

function columnLook(field: Field, translate: Translate): Readonly<Record<string, string>> {
  if (field.kind.isChoice) return { widget: 'badge' };
  if (field.kind.isLinks) return { widget: 'tags' };
  return field.kind.isMoney && field.isStored ? { sum: translate('Total') } : {};
}

const lines = 3;

/** Cards in the columns of a stage or state; null for models that have neither. */
function generateKanban(model: Model): ViewNode | null {
  const status = statusField(model);
  if (!status) return null;
  const make = nodeMaker(model);
  const name = nameField(model);
  const owner = ownerField(model);
  const measure = measureField(model);
  const isUsed = (field: Field) => [status, name, owner, measure].includes(field) || isDull(field);
  const others = fieldsOfKind(model, (kind) => kind.isToOne || kind.isDate || kind.isShort).filter(
    (field) => !isUsed(field),
  );
  const footer = [
    ...(measure ? [make('field', { name: measure.name })] : []),
    ...(owner ? [make('field', { name: owner.name, widget: 'many2one_avatar' })] : []),
  ];
  const card = make('card', { color: model.fields.get('color')?.kind.isWhole ? 'color' : undefined }, [
    make('title', {}, [make('field', { name: name?.name ?? 'display_name' })]),
    ...others.slice(0, lines).map((field) => make('field', { name: field.name })),
    ...(footer.length > 0 ? [make('footer', {}, footer)] : []),
  ]);
  return rootOf(make, model, 'kanban', [card], {
    'group-by': status.name,
    sums: measure?.name,
    handle: sequenceField(model)?.name,
  });
}
