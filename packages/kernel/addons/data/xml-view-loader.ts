import type { Env } from '@kontor/orm';
import type { WireRecord } from '@kontor/protocol';
import {
  baseOf,
  type CheckContext,
  checkShape,
  checkView,
  composeStoredView,
  openXml,
  type ReferenceKind,
  readElement,
  type StoredView,
  ViewError,
  type ViewNode,
  writeXml,
} from '@kontor/views';
import { AddonError } from '../addon-error.ts';
import type { DataField, DataRecord, DataValue } from './data-record.ts';
import { ownExternalId, referredId, referredIds } from './read-external-id.ts';
import type { ViewCheck, ViewElement, ViewLoader } from './view-loader.ts';

/**
 * Stores views and inherits as XML with the lines of their file; actions and menus become records by their attributes.
 */
export const xmlViewLoader: ViewLoader = {
  toRecords(view, report) {
    const node = withAddonErrors(() => {
      const read = readElement(view.element, { ...view.place, line: 1 });
      checkShape(read, view.tag, report && ((error) => report(toAddonError(error))));
      return read;
    });
    if (view.tag === 'action') return [actionRecord(view, node)];
    if (view.tag === 'menu') return [menuRecord(view, node)];
    return [view.tag === 'inherit' ? inheritRecord(view, node) : viewRecord(view, node)];
  },
  check: checkViews,
};

/** A mistake in a view as a mistake in an addon. */
export function withAddonErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw toAddonError(error);
  }
}

export function toAddonError({ place, problem, hint }: ViewError): AddonError {
  return new AddonError(place, problem, hint);
}

export function viewRecord(view: Pick<ViewElement, 'place' | 'tag'>, { attributes, ...node }: ViewNode): DataRecord {
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

export function inheritRecord(view: Pick<ViewElement, 'place'>, { attributes, ...node }: ViewNode): DataRecord {
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

export function actionRecord(view: Pick<ViewElement, 'place'>, { attributes }: ViewNode): DataRecord {
  return record(view, ownExternalId(attributes.id ?? '', view.place), 'sys.action.window', {
    name: text(attributes.label),
    model: text(attributes.model),
    view_mode: text(attributes.views ?? 'list,form'),
    domain: text(attributes.domain),
    context: text(attributes.context),
    target: text(attributes.target ?? 'current'),
    limit: text(attributes.limit),
    order: text(attributes.order),
    opens_with: text(attributes['opens-with']),
    compare: text(attributes.compare),
    new_label: text(attributes['new-label']),
    help: text(attributes.help),
    group_ids: refs(view, attributes.groups),
    module: text(view.place.addon),
  });
}

export function menuRecord(view: Pick<ViewElement, 'place'>, { attributes }: ViewNode): DataRecord {
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

/** Every field has a value: an attribute removed from the file is removed from the record by the next upgrade. */
function record(
  { place }: Pick<ViewElement, 'place'>,
  id: string,
  model: string,
  values: Readonly<Record<string, DataValue>>,
): DataRecord {
  const fields: DataField[] = Object.entries(values).map(([name, value]) => ({ name, value, line: place.line }));
  return { place, id, model, noupdate: false, fields };
}

function origin({ place }: Pick<ViewElement, 'place'>): Readonly<Record<string, DataValue>> {
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

function refs(view: Pick<ViewElement, 'place'>, names: string | undefined): DataValue {
  return { kind: 'refs', refs: names === undefined ? [] : referredIds(names, view.place) };
}

/** Models whose records a view may refer to by external id. */
export const referenceKinds: Readonly<Record<string, ReferenceKind>> = {
  'core.group': 'group',
  'sys.action.window': 'action',
  'sys.menu': 'menu',
  'sys.view': 'view',
};

export interface ViewRow extends StoredView {
  readonly isLimited: boolean;
}

/**
 * Checks the actions of the given modules, and every composed view that they or their dependents contribute to, against the
 * registry: a mistake stops the install.
 */
export async function checkViews(call: ViewCheck): Promise<void> {
  const { env, modules, dependsOf } = call;
  await openXml();
  const context = await checkContext(call);
  const views = await readViews(env);
  const isConcerned = dependents(views, modules, dependsOf);
  try {
    for (const record of call.records) if (record.model === 'sys.action.window') checkView(actionNode(record), context);
    const concerned = views.filter((view) => isConcerned(view.module));
    const bases = new Set(concerned.map((view) => baseOf(views, view.id).id));
    for (const base of bases) checkComposed(views, base, call, context);
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw toAddonError(error);
  }
}

/** Once with all inherits, and once as seen by users without groups. */
function checkComposed(views: readonly ViewRow[], base: number, { dependsOf }: ViewCheck, context: CheckContext): void {
  checkView(composeStoredView(views, base, dependsOf), context);
  if (!views.some((view) => view.isLimited && view.inheritId !== null)) return;
  const open = views.filter((view) => view.id === base || !view.isLimited);
  checkView(composeStoredView(open, base, dependsOf), context);
}

/** Changed modules, and their dependents, which may have lost something they need. */
function dependents(
  views: readonly ViewRow[],
  modules: readonly string[],
  dependsOf: ViewCheck['dependsOf'],
): (module: string) => boolean {
  const known = new Map<string, boolean>(modules.map((module) => [module, true]));
  const isConcerned = (module: string): boolean => {
    const found = known.get(module);
    if (found !== undefined) return found;
    known.set(module, false);
    const concerned = dependsOf(module).some(isConcerned);
    known.set(module, concerned);
    return concerned;
  };
  for (const view of views) isConcerned(view.module);
  return (module) => module !== '' && isConcerned(module);
}

export async function readViews(env: Env): Promise<readonly ViewRow[]> {
  const paths = ['key', 'arch', 'inherit_id', 'priority', 'module', 'file', 'line', 'group_ids'];
  const rows = await env.model('sys.view').searchRead([['active', '=', true]], paths);
  return rows.map(toView);
}

function toView(row: WireRecord): ViewRow {
  return {
    id: row.id,
    key: String(row.key ?? ''),
    arch: String(row.arch),
    inheritId: row.inherit_id as number | null,
    priority: row.priority as number,
    module: String(row.module ?? ''),
    file: String(row.file ?? ''),
    line: (row.line as number | null) ?? 1,
    isLimited: (row.group_ids as readonly number[]).length > 0,
  };
}

export async function checkContext({ env, widgets, viewTypes }: ViewCheck): Promise<CheckContext> {
  const rows = await env.model('sys.model.data').searchRead(
    [
      ['model', 'in', Object.keys(referenceKinds)],
      ['res_id', '!=', 0],
    ],
    ['model', 'module', 'name'],
  );
  const names = new Map<ReferenceKind, Set<string>>(Object.values(referenceKinds).map((kind) => [kind, new Set()]));
  for (const row of rows)
    names.get(referenceKinds[String(row.model)] as ReferenceKind)?.add(`${row.module}.${row.name}`);
  return {
    registry: env.registry,
    names: (kind) => names.get(kind) ?? new Set(),
    widgets,
    viewTypes,
  };
}

/** The element that a record of sys.action.window was created from, as far as it is checked. */
export function actionNode(record: DataRecord): ViewNode {
  const attributes: Record<string, string> = { id: record.id.split('.')[1] as string, label: record.id };
  for (const { name, value } of record.fields) {
    const attribute = { view_mode: 'views', opens_with: 'opens-with' }[name] ?? name;
    const isChecked = ['model', 'views', 'domain', 'context', 'order', 'opens-with'].includes(attribute);
    if (value.kind === 'text' && isChecked) attributes[attribute] = value.text;
  }
  return { tag: 'action', attributes, text: '', children: [], place: record.place };
}
