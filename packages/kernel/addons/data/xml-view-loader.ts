import { checkShape, readElement, ViewError, type ViewNode, writeXml } from '@kontor/views';
import { AddonError } from '../addon-error.ts';
import { checkViews } from './check-views.ts';
import type { DataField, DataRecord, DataValue } from './data-record.ts';
import { ownExternalId, referredId, referredIds } from './external-ids.ts';
import type { ViewElement, ViewLoader } from './view-loader.ts';

/** Keeps views and inherits as XML with the lines of their file; actions and menus become records by their attributes. */
export const xmlViewLoader: ViewLoader = {
  toRecords(view) {
    const node = located(() => {
      const read = readElement(view.element, { ...view.place, line: 1 });
      checkShape(read, view.tag);
      return read;
    });
    if (view.tag === 'action') return [actionRecord(view, node)];
    if (view.tag === 'menu') return [menuRecord(view, node)];
    return [view.tag === 'inherit' ? inheritRecord(view, node) : viewRecord(view, node)];
  },
  check: checkViews,
};

/** A mistake in a view as a mistake in an addon. */
export function located<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw new AddonError(error.place, error.problem, error.hint);
  }
}

function viewRecord(view: ViewElement, { attributes, ...node }: ViewNode): DataRecord {
  const id = ownExternalId(attributes.id ?? '', view.place);
  return record(view, id, 'sys.view', {
    name: text(attributes.label ?? id),
    key: text(id),
    model: text(attributes.model),
    type: text(attributes.as ?? view.tag),
    arch: text(writeXml({ ...node, attributes })),
    inherit_id: refs(view, undefined),
    priority: json(attributes.priority ?? 16),
    group_ids: refs(view, attributes.groups),
    ...origin(view),
  });
}

function inheritRecord(view: ViewElement, { attributes, ...node }: ViewNode): DataRecord {
  const parent = referredId(attributes.view ?? '', view.place);
  const id = ownExternalId(attributes.id ?? `${parent.replace('.', '_')}_inherit`, view.place);
  return record(view, id, 'sys.view', {
    name: text(attributes.label ?? id),
    key: text(id),
    model: { kind: 'same', ref: parent, field: 'model' },
    type: { kind: 'same', ref: parent, field: 'type' },
    arch: text(writeXml({ ...node, attributes })),
    inherit_id: { kind: 'refs', refs: [parent] },
    priority: json(attributes.priority ?? 16),
    group_ids: refs(view, attributes.groups),
    ...origin(view),
  });
}

function actionRecord(view: ViewElement, { attributes }: ViewNode): DataRecord {
  return record(view, ownExternalId(attributes.id ?? '', view.place), 'sys.action.window', {
    name: text(attributes.label),
    model: text(attributes.model),
    view_mode: text(attributes.views ?? 'list,form'),
    domain: text(attributes.domain),
    context: text(attributes.context),
    target: text(attributes.target ?? 'current'),
    limit: text(attributes.limit),
    order: text(attributes.order),
    help: text(attributes.help),
    group_ids: refs(view, attributes.groups),
    module: text(view.place.addon),
  });
}

function menuRecord(view: ViewElement, { attributes }: ViewNode): DataRecord {
  return record(view, ownExternalId(attributes.id ?? '', view.place), 'sys.menu', {
    name: text(attributes.label),
    parent_id: refs(view, attributes.parent),
    action_id: refs(view, attributes.action),
    sequence: json(attributes.sequence ?? 10),
    icon: text(attributes.icon),
    is_counted: { kind: 'json', json: attributes.count === 'true' },
    group_ids: refs(view, attributes.groups),
    module: text(view.place.addon),
  });
}

/** Every field has a value: an attribute that is gone from the file is gone from the record after the next upgrade. */
function record(
  { place }: ViewElement,
  id: string,
  model: string,
  values: Readonly<Record<string, DataValue>>,
): DataRecord {
  const fields: DataField[] = Object.entries(values).map(([name, value]) => ({ name, value, line: place.line }));
  return { place, id, model, noupdate: false, fields };
}

function origin({ place }: ViewElement): Readonly<Record<string, DataValue>> {
  return {
    module: text(place.addon),
    file: text(place.file),
    line: { kind: 'json', json: place.line },
  };
}

function text(value: string | undefined): DataValue {
  return value === undefined ? { kind: 'json', json: null } : { kind: 'text', text: value };
}

function json(value: string | number): DataValue {
  return { kind: 'json', json: Number(value) };
}

function refs(view: ViewElement, names: string | undefined): DataValue {
  return { kind: 'refs', refs: names === undefined ? [] : referredIds(names, view.place) };
}
