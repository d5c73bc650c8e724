import { AddonError } from '../addon-error.ts';
import { checkAttributes } from './check-attributes.ts';
import type { DataField, DataRecord, DataValue } from './data-record.ts';
import { ownExternalId, referredId, referredIds } from './external-name.ts';
import { attributesOf } from './parse-xml.ts';
import type { ViewElement, ViewLoader } from './view-loader.ts';

/** Keeps the XML of views as text, unchecked; actions and menus become records by their attributes. */
export const plainViewLoader: ViewLoader = {
  toRecords(view) {
    if (view.tag === 'action') return [actionRecord(view)];
    if (view.tag === 'menu') return [menuRecord(view)];
    return [view.tag === 'inherit' ? inheritRecord(view) : viewRecord(view)];
  },
};

function viewRecord(view: ViewElement): DataRecord {
  const { place, element } = view;
  const given = attributesOf(element);
  const id = requiredId(view, given.id);
  if (!given.model) throw new AddonError(place, `<${view.tag}> needs the attribute "model".`);
  return record(view, id, 'sys.view', {
    name: text(given.label ?? id),
    key: text(id),
    model: text(given.model),
    type: text(view.tag),
    arch: text(element.toString({ format: false })),
    priority: given.priority && text(given.priority),
    group_ids: given.groups && refs(view, given.groups),
    module: text(place.addon),
    file: text(place.file),
    line: { kind: 'json', json: place.line },
  });
}

function inheritRecord(view: ViewElement): DataRecord {
  const { place, element } = view;
  const given = attributesOf(element);
  if (!given.view) throw new AddonError(place, '<inherit> needs the attribute "view".');
  const parent = referredId(given.view, place);
  const id = ownExternalId(given.id ?? `${parent.replace('.', '_')}_inherit`, place);
  return record(view, id, 'sys.view', {
    name: text(given.label ?? id),
    key: text(id),
    model: { kind: 'same', ref: parent, field: 'model' },
    type: { kind: 'same', ref: parent, field: 'type' },
    inherit_id: { kind: 'refs', refs: [parent] },
    arch: text(element.toString({ format: false })),
    priority: given.priority && text(given.priority),
    group_ids: given.groups && refs(view, given.groups),
    module: text(place.addon),
    file: text(place.file),
    line: { kind: 'json', json: place.line },
  });
}

const actionAttributes = [
  'id',
  'label',
  'model',
  'views',
  'domain',
  'context',
  'target',
  'limit',
  'order',
  'groups',
  'help',
] as const;

function actionRecord(view: ViewElement): DataRecord {
  const given = checkAttributes(view.element, actionAttributes, ['id', 'label', 'model'], view.place);
  return record(view, requiredId(view, given.id), 'sys.action.window', {
    name: text(given.label as string),
    model: text(given.model as string),
    view_mode: given.views && text(given.views),
    domain: given.domain && text(given.domain),
    context: given.context && text(given.context),
    target: given.target && text(given.target),
    limit: given.limit && text(given.limit),
    order: given.order && text(given.order),
    help: given.help && text(given.help),
    group_ids: given.groups && refs(view, given.groups),
    module: text(view.place.addon),
  });
}

const menuAttributes = ['id', 'label', 'parent', 'action', 'sequence', 'icon', 'groups'] as const;

function menuRecord(view: ViewElement): DataRecord {
  const given = checkAttributes(view.element, menuAttributes, ['id', 'label'], view.place);
  return record(view, requiredId(view, given.id), 'sys.menu', {
    name: text(given.label as string),
    parent_id: given.parent && refs(view, given.parent),
    action_id: given.action && refs(view, given.action),
    sequence: given.sequence && text(given.sequence),
    icon: given.icon && text(given.icon),
    group_ids: given.groups && refs(view, given.groups),
    module: text(view.place.addon),
  });
}

function record(
  view: ViewElement,
  id: string,
  model: string,
  values: Readonly<Record<string, DataValue | '' | undefined>>,
): DataRecord {
  const fields: DataField[] = [];
  for (const [name, value] of Object.entries(values)) if (value) fields.push({ name, value, line: view.place.line });
  return { place: view.place, id, model, noupdate: false, fields };
}

function requiredId({ tag, place }: ViewElement, id: string | undefined): string {
  if (!id) throw new AddonError(place, `<${tag}> needs the attribute "id".`);
  return ownExternalId(id, place);
}

function text(value: string): DataValue {
  return { kind: 'text', text: value };
}

function refs(view: ViewElement, names: string): DataValue {
  return { kind: 'refs', refs: referredIds(names, view.place) };
}
