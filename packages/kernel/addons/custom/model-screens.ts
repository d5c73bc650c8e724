import { type Domain, fieldTypes } from '@kontor/protocol';
import type { ViewNode } from '@kontor/views';
import type { DataField, DataRecord, DataValue } from '../data/data-record.ts';
import { actionRecord, menuRecord, viewRecord } from '../data/xml-view-loader.ts';
import { type AddedModel, wholeField } from './added-model.ts';
import { type CustomDocument, type CustomField, customModule, extensionIn, fieldsIn, linksPeople } from './document.ts';
import { viewNode } from './view-steps.ts';

/** The screens, the menu, the rights and the numbers of one added model, as an addon would have them in its files. */
export interface ModelScreens {
  /** `<form>`, `<list>`, …, `<action>` and `<menu>`. */
  readonly nodes: readonly ViewNode[];
  readonly rights: AddedModel['access'];
}

/** Columns of a list that everybody sees; the others can be switched on. */
const columns = 7;
/** Fields of a card below its title. */
const lines = 4;
/** Fields that a search looks into. */
const searched = 10;

/** The external id of an element of a model, without its module: `x_machine_form`. */
export function screenId(model: string, kind: string): string {
  return `${model}_${kind}`;
}

/** The elements of the screens of a model, in the order of its document. */
export function modelScreens(document: CustomDocument, name: string, model: AddedModel): ModelScreens {
  const fields = shownFields(document, name, model);
  const views = [
    formNode(document, name, model, fields),
    listNode(name, model, fields),
    searchNode(name, model, fields),
    ...(model.board ? [kanbanNode(name, model, fields)] : []),
    ...(model.calendar ? [calendarNode(name, model, fields)] : []),
  ];
  const modes = ['list', model.board && 'kanban', model.calendar && 'calendar', 'form', 'graph', 'pivot'];
  const action = viewNode('action', {
    ...{ id: name, label: model.plural, model: name },
    views: modes.filter(Boolean).join(','),
  });
  return { nodes: [...views, ...(model.partOf ? [] : [action, ...menuNodes(name, model)])], rights: model.access };
}

interface Shown {
  readonly name: string;
  readonly field: Pick<CustomField, 'type' | 'label' | 'choices' | 'stored' | 'formula'>;
}

function shownFields(document: CustomDocument, name: string, model: AddedModel): readonly Shown[] {
  const own = fieldsIn(document, name);
  const listed = model.shown.filter((each) => own[each] && !own[each].retired);
  return listed.map((each) => ({ name: each, field: own[each] as CustomField }));
}

function root(tag: string, name: string, children: readonly ViewNode[], more: Readonly<Record<string, string>> = {}) {
  return viewNode(tag, { id: screenId(name, tag), model: name, ...more }, children);
}

function fieldNode(name: string, more: Readonly<Record<string, string>> = {}): ViewNode {
  return viewNode('field', { name, ...more });
}

function look({ field }: Shown): Readonly<Record<string, string>> {
  const looks = (field.choices ?? []).flatMap(({ value, look: found }) => (found ? [[value, found] as const] : []));
  if (looks.length > 0) return { widget: 'badge', options: JSON.stringify({ looks: Object.fromEntries(looks) }) };
  return fieldTypes[field.type].isLinks ? { widget: 'tags' } : {};
}

function formNode(document: CustomDocument, name: string, model: AddedModel, given: readonly Shown[]): ViewNode {
  const { states } = extensionIn(document, name);
  const fields = given.filter((each) => each.name !== states?.field);
  const head = [...(model.number ? [fieldNode('number')] : []), ...(model.partOf ? [fieldNode(wholeField)] : [])];
  const tail = model.company ? [fieldNode('company_id')] : [];
  const short = fields.filter((each) => !isWide(each)).map((each) => fieldNode(each.name, look(each)));
  const nodes = [...head, ...short, ...tail];
  const middle = Math.ceil(nodes.length / 2);
  const halves = [nodes.slice(0, middle), nodes.slice(middle)].filter((half) => half.length > 0);
  const parts = Object.entries(document.models ?? {}).filter(([, { partOf }]) => partOf?.model === name);
  const pages = [
    ...parts.map(([part, { partOf }]) => pageNode(`${part}_ids`, partOf?.label ?? part)),
    ...fields.filter(isWide).map((each) => pageNode(each.name, each.field.label)),
  ];
  return root('form', name, [
    ...(states ? [statesBar(states.field)] : []),
    viewNode('title', {}, [fieldNode('name')]),
    ...(halves.length > 0
      ? [
          viewNode(
            'group',
            { columns: '2' },
            halves.map((half) => viewNode('group', {}, half)),
          ),
        ]
      : []),
    ...(pages.length > 0 ? [viewNode('notebook', {}, pages)] : []),
  ]);
}

function pageNode(field: string, label: string): ViewNode {
  return viewNode('page', { name: field, label }, [fieldNode(field, { nolabel: 'true' })]);
}

function isWide({ field }: Shown): boolean {
  const { isText, isShort, isJson } = fieldTypes[field.type];
  return (isText && !isShort) || isJson;
}

function listNode(name: string, model: AddedModel, fields: readonly Shown[]): ViewNode {
  const fitting = fields.filter(({ field }) => !fieldTypes[field.type].isOpaque && !isWide({ name: '', field }));
  const cells = fitting.map((each, index) => {
    const total = fieldTypes[each.field.type].isMoney && isKept(each) ? { sum: 'Total' } : {};
    const cell = { ...look(each), ...total };
    return fieldNode(each.name, index < columns ? cell : { ...cell, optional: 'hide' });
  });
  return root(
    'list',
    name,
    [...(model.number ? [fieldNode('number')] : []), fieldNode('name'), ...cells],
    model.partOf ? { editable: 'bottom' } : {},
  );
}

/** Has a column. */
function isKept({ field }: Shown): boolean {
  return field.formula === undefined || field.stored === true;
}

function searchNode(name: string, model: AddedModel, fields: readonly Shown[]): ViewNode {
  const kept = fields.filter(isKept);
  const kinds = kept.map((each) => ({ ...each, kind: fieldTypes[each.field.type] }));
  const looked = kinds.filter(({ kind }) => kind.isShort || kind.isToOne).slice(0, searched);
  const groups = kinds.filter(({ kind }) => kind.isChoice || kind.isToOne || kind.isDate || kind.isBoolean);
  const archived = model.archive
    ? [viewNode('filter', { name: 'archived', label: 'Archived', domain: '[["active", "=", false]]' })]
    : [];
  const by = groups
    .slice(0, searched)
    .map(({ name: field, field: { label }, kind }) =>
      viewNode('filter', { name: `by_${field}`, label, 'group-by': kind.isDate ? `${field}:month` : field }),
    );
  return root('search', name, [
    ...(model.number ? [fieldNode('number')] : []),
    fieldNode('name'),
    ...looked.map((each) => fieldNode(each.name)),
    ...archived,
    ...(archived.length > 0 && by.length > 0 ? [viewNode('separator', {})] : []),
    ...by,
  ]);
}

function kanbanNode(name: string, model: AddedModel, fields: readonly Shown[]): ViewNode {
  const fits = ({ name: each, field }: Shown) => {
    const { isToOne, isDate, isShort, isNumber, isChoice } = fieldTypes[field.type];
    return each !== model.board && (isToOne || isDate || isShort || isNumber || isChoice);
  };
  const shown = fields.filter(fits).slice(0, lines);
  const card = viewNode('card', {}, [
    viewNode('title', {}, [fieldNode('name')]),
    ...(model.number ? [fieldNode('number')] : []),
    ...shown.map((each) => fieldNode(each.name, look(each))),
  ]);
  return root('kanban', name, [card], { 'group-by': model.board as string });
}

function calendarNode(name: string, model: AddedModel, fields: readonly Shown[]): ViewNode {
  const shown = fields.filter(({ field }) => fieldTypes[field.type].isToOne).slice(0, 2);
  const entry = [fieldNode('name'), ...shown.map((each) => fieldNode(each.name))];
  return root('calendar', name, entry, { start: model.calendar as string, ...(model.board && { color: model.board }) });
}

function menuNodes(name: string, model: AddedModel): readonly ViewNode[] {
  if (model.retired) return [];
  const own = { label: model.plural, ...(model.icon && { icon: model.icon }) };
  const entry = { id: screenId(name, 'menu'), action: name, ...own };
  if (model.menu) return [viewNode('menu', { ...entry, parent: model.menu, sequence: '90' })];
  const app = screenId(name, 'app');
  return [viewNode('menu', { id: app, ...own, sequence: '90' }), viewNode('menu', { ...entry, parent: app })];
}

/** What the document needs from others, to load what fits. */
export interface KnownIds {
  readonly groups: ReadonlySet<string>;
  readonly menus: ReadonlySet<string>;
}

const place = { addon: customModule, file: 'models', line: 1 };

/** All records of the added models of a document; rights of groups and places under menus that are gone are left out. */
export function modelRecords(document: CustomDocument, known: KnownIds): readonly DataRecord[] {
  return Object.entries(document.models ?? {}).flatMap(([name, model]) => {
    const fits = model.menu === undefined || known.menus.has(model.menu) || isOwnMenu(document, model.menu);
    const { menu: _, ...app } = model;
    const { nodes, rights } = modelScreens(document, name, fits ? model : app);
    const views = nodes.map(nodeRecord);
    const access = rights
      .filter(({ group }) => known.groups.has(group))
      .flatMap((right) => [rightRecord(name, model, right), ...ruleRecords(document, name, model, right)]);
    return [...(model.number ? [numberRecord(name, model)] : []), ...access, ...views];
  });
}

function isOwnMenu({ models = {} }: CustomDocument, menu: string): boolean {
  const [module, id = ''] = menu.split('.');
  return (
    module === customModule &&
    Object.entries(models).some(([name, { menu: over, retired, partOf }]) => {
      return screenId(name, 'app') === id && !over && !retired && !partOf;
    })
  );
}

/** The states of a model are its status bar, with the buttons of its moves. */
function statesBar(field: string): ViewNode {
  return viewNode('header', {}, [viewNode('moves', {}), fieldNode(field, { widget: 'statusbar' })]);
}

function nodeRecord(node: ViewNode): DataRecord {
  if (node.tag === 'action') return actionRecord({ place }, node);
  return node.tag === 'menu' ? menuRecord({ place }, node) : viewRecord({ place, tag: node.tag }, node);
}

function json(value: unknown): DataValue {
  return { kind: 'json', json: value };
}

function record(id: string, model: string, values: Readonly<Record<string, DataValue>>, noupdate = false): DataRecord {
  const fields: DataField[] = Object.entries(values).map(([name, value]) => ({ name, value, line: 1 }));
  return { place, id: `${customModule}.${id}`, model, noupdate, fields };
}

export function rightId(model: string, group: string): string {
  return `${model}_${group.replaceAll(/[.-]/g, '_')}`;
}

/** The external id of the rule of a group, without its module. */
export function ruleId(model: string, group: string): string {
  return `${rightId(model, group)}_records`;
}

/** The records of a group: all of them, unless it sees only those of its members. Null: no group is limited, so there are no rules. */
export function domainOfRight({ access }: AddedModel, { only }: AddedModel['access'][number]): Domain | null {
  if (!access.some((right) => right.only)) return null;
  return only ? [[only, '=', '$uid']] : [];
}

function ruleRecords(
  document: CustomDocument,
  name: string,
  model: AddedModel,
  right: AddedModel['access'][number],
): readonly DataRecord[] {
  const { group, only } = right;
  const domain = domainOfRight(model, right);
  if (domain === null) return [];
  // A field that does not fit is gone, and then nobody would know which records are theirs.
  const isLost = only !== undefined && !linksPeople(document, name, only);
  return [
    record(ruleId(name, group), 'sys.rule', {
      name: json(titleOf(model, right)),
      model: json(name),
      domain: json(isLost ? [['id', '=', 0]] : domain),
      group_ids: { kind: 'refs', refs: [group] },
    }),
  ];
}

export function titleOf({ plural }: AddedModel, { group }: AddedModel['access'][number]): string {
  return `${plural}: ${group}`.slice(0, 200);
}

function rightRecord(name: string, model: AddedModel, right: AddedModel['access'][number]): DataRecord {
  return record(rightId(name, right.group), 'sys.access', {
    name: json(titleOf(model, right)),
    model: json(name),
    group_id: { kind: 'refs', refs: [right.group] },
    perm_read: json(true),
    perm_write: json(right.write === true),
    perm_create: json(right.create === true),
    perm_unlink: json(right.unlink === true),
  });
}

/** Made once: what was numbered keeps its numbers, and administrators change the rest under Settings, Sequences. */
function numberRecord(name: string, { plural, number }: AddedModel): DataRecord {
  const values = {
    name: json(plural),
    code: json(name),
    prefix: json(number?.prefix || null),
    padding: json(number?.digits ?? 4),
  };
  return record(screenId(name, 'numbers'), 'sys.sequence', values, true);
}
