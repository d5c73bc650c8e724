import type { Field, Model } from '@kontor/orm';
import { inEnglish, type Translate, type ViewType, viewTypes } from '@kontor/protocol';
import type { ViewKind, ViewNode } from '../view-node.ts';
import { generateCohort, generateGraph, generatePivot } from './generate-aggregates.ts';
import { generateCalendar, generateGantt, generateMap } from './generate-planning.ts';
import {
  fieldsOfKind,
  isMinor,
  measureField,
  nameField,
  ownerField,
  ownFields,
  sequenceField,
  startField,
  statusField,
} from './main-fields.ts';
import { type MakeNode, nodeMaker, rootOf } from './make-node.ts';

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
 * A default view for a model that has none of the type; null if the model has no suitable fields. `translate` is for
 * its own few texts; labels come from the model.
 */
export function generateView(model: Model, type: ViewKind, translate: Translate = inEnglish): ViewNode | null {
  return generators[type](model, translate);
}

/** The view types in which a model can be shown without a view of its own. */
export function generatedTypes(model: Model): readonly ViewType[] {
  return viewTypes.filter((type) => generators[type](model, inEnglish) !== null);
}

const shown = 7;
const offered = 14;

/** Short enough for a cell. */
function fitsColumn({ isShort, isChoice, isToOne, isDate, isNumber, isBoolean, isLinks }: Field['kind']): boolean {
  return isShort || isChoice || isToOne || isDate || isNumber || isBoolean || isLinks;
}

/** The main fields of a model as columns, and some optional ones. */
function generateList(model: Model, translate: Translate): ViewNode {
  const make = nodeMaker(model);
  const name = nameField(model);
  const handle = sequenceField(model);
  const others = fieldsOfKind(model, fitsColumn).filter((field) => field !== name && field !== handle);
  const fields = [...others.filter((field) => !isMinor(field)), ...others.filter((field) => isMinor(field))];
  const isNamed = name !== null || others.some((field) => field.kind.isShort);
  const first = name || !isNamed ? [make('field', { name: name?.name ?? 'display_name' })] : [];
  const columns = fields.slice(0, offered).map((field, index) =>
    make('field', {
      name: field.name,
      ...columnLook(field, translate),
      optional: index < shown && !isMinor(field) ? undefined : 'hide',
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
  const isUsed = (field: Field) => [status, name, owner, measure].includes(field) || isMinor(field);
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

/** Records are read with a limited number of paths; no hand-written form comes near it. */
const most = 70;

/** All fields of a model: two columns, and pages for wide fields. */
function generateForm(model: Model): ViewNode {
  const make = nodeMaker(model);
  const name = nameField(model);
  const status = statusField(model);
  const avatar = ownFields(model).find((field) => field.kind.isImage) ?? null;
  const rest = ownFields(model)
    .filter((field) => field !== name && field !== status && field !== avatar)
    .slice(0, most);
  return rootOf(make, model, 'form', [
    ...(status
      ? [
          make('header', {}, [
            ...(model.states ? [make('moves')] : []),
            make('field', { name: status.name, widget: 'statusbar' }),
          ]),
        ]
      : []),
    ...(avatar ? [make('avatar', {}, [make('field', { name: avatar.name })])] : []),
    ...(name ? [make('title', {}, [make('field', { name: name.name })])] : []),
    ...columns(
      make,
      rest.filter((field) => !isWide(field)),
    ),
    ...pages(
      make,
      rest.filter((field) => isWide(field)),
    ),
  ]);
}

function columns(make: MakeNode, fields: readonly Field[]): readonly ViewNode[] {
  if (fields.length === 0) return [];
  const nodes = fields.map((field) => make('field', { name: field.name, ...look(field) }));
  const middle = Math.ceil(nodes.length / 2);
  const halves = [nodes.slice(0, middle), nodes.slice(middle)].filter((half) => half.length > 0);
  return [
    make(
      'group',
      { columns: '2' },
      halves.map((half) => make('group', {}, half)),
    ),
  ];
}

/** Lines first: most documents are about them. */
function pages(make: MakeNode, fields: readonly Field[]): readonly ViewNode[] {
  if (fields.length === 0) return [];
  const lines = fields.filter((field) => field.kind.isLines);
  const texts = fields.filter((field) => !field.kind.isLines);
  const page = (field: Field) =>
    make('page', { name: field.name, label: field.label }, [make('field', { name: field.name, nolabel: 'true' })]);
  return [make('notebook', {}, [...lines, ...texts].map(page))];
}

function look(field: Field): Readonly<Record<string, string>> {
  if (field.kind.isLinks) return { widget: 'tags' };
  if (!field.kind.isShort) return {};
  const widget = { email: 'email', phone: 'phone', mobile: 'phone', website: 'url', url: 'url' }[field.name];
  return widget ? { widget } : {};
}

/** Needs the whole width. */
function isWide({ kind }: Field): boolean {
  return (kind.isText && !kind.isShort) || kind.isJson || kind.isLines;
}

const mostFields = 10;
const mostGroups = 6;
const mostStates = 8;

/** Texts and related records to search, common filters, and groups. */
function generateSearch(model: Model, translate: Translate): ViewNode {
  const make = nodeMaker(model);
  const texts = fieldsOfKind(model, (kind) => kind.isShort).filter((field) => field.isStored);
  const related = fieldsOfKind(model, (kind) => kind.isToOne).filter((field) => field.isStored && !isMinor(field));
  const looked = [...texts, ...related].slice(0, mostFields);
  const fields = looked.map((field) => make('field', { name: field.name }));
  const sections = [
    mine(make, model, translate),
    states(make, model),
    archived(make, model, translate),
    groups(make, model),
  ];
  const filters = sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [make('separator'), ...section]));
  return rootOf(make, model, 'search', [...fields, ...filters]);
}

function mine(make: MakeNode, model: Model, translate: Translate): readonly ViewNode[] {
  const owner = ownerField(model);
  if (!owner) return [];
  return [
    make('filter', { name: 'mine', label: translate('Mine'), domain: JSON.stringify([[owner.name, '=', '$uid']]) }),
  ];
}

function states(make: MakeNode, model: Model): readonly ViewNode[] {
  const field = statusField(model);
  const values = [...(field?.selection ?? [])].slice(0, mostStates);
  return values.map(([value, label]) =>
    make('filter', {
      name: `is_${value.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`,
      label,
      domain: JSON.stringify([[field?.name, '=', value]]),
    }),
  );
}

function archived(make: MakeNode, model: Model, translate: Translate): readonly ViewNode[] {
  if (!model.hasActive) return [];
  return [make('filter', { name: 'archived', label: translate('Archived'), domain: '[["active", "=", false]]' })];
}

function groups(make: MakeNode, model: Model): readonly ViewNode[] {
  const status = statusField(model);
  const related = fieldsOfKind(model, (kind) => kind.isChoice || kind.isToOne).filter(
    (field) => field.isStored && field !== status && !isMinor(field),
  );
  const start = startField(model);
  const fields = [...(status ? [status] : []), ...(start ? [start] : []), ...related].slice(0, mostGroups);
  return fields.map((field) =>
    make('filter', {
      name: `by_${field.name}`,
      label: field.label,
      'group-by': field.kind.isDate ? `${field.name}:month` : field.name,
    }),
  );
}
