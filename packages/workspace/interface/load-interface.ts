import type { CacheSpec, Kernel } from '@kontor/kernel';
import { type Actor, type Env, expandDomain, type Model, type Registry } from '@kontor/orm';
import {
  type Domain,
  inEnglish,
  KontorError,
  parseAuthoredDomain,
  serializeDomain,
  type Translate,
  type WireRecord,
} from '@kontor/protocol';
import { isViewKind, openXml, type StoredView } from '@kontor/views';

/** A row of sys.view. */
export interface ViewRow extends StoredView {
  readonly model: string;
  readonly type: string;
  /** Keys of its groups; none: everyone. */
  readonly groups: readonly string[];
}

/** A row of sys.action.window, or a virtual one with id 0 for a model opened without an action. */
export interface WindowAction {
  readonly id: number;
  /** External id, or else the id; the model's name without an action. It is the key of personal settings. */
  readonly key: string;
  readonly name: string;
  readonly model: string;
  readonly modes: readonly string[];
  readonly domain: Domain;
  readonly context: Readonly<Record<string, unknown>>;
  readonly target: 'current' | 'dialog';
  readonly limit: number | null;
  readonly order: string | null;
  /** Conditions that a user can remove, and the compared period. */
  readonly opensWith: Domain;
  readonly compare: string | null;
  /** The label for creating a record, if the palette offers it. */
  readonly newLabel: string | null;
  readonly help: string | null;
  readonly module: string | null;
  readonly groups: readonly string[];
}

export interface MenuRow {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly parentId: number | null;
  readonly actionId: number | null;
  readonly icon: string | null;
  readonly isCounted: boolean;
  readonly module: string | null;
  readonly groups: readonly string[];
}

/** Every view, action and menu as last read. Immutable; a change creates a new one and drops everything derived from the old one. */
export interface Interface {
  readonly views: ReadonlyMap<string, readonly ViewRow[]>;
  /** View types of addons that their views have. */
  readonly ownTypes: ReadonlySet<string>;
  readonly actions: ReadonlyMap<number, WindowAction>;
  readonly actionIds: ReadonlyMap<string, number>;
  /** In display order. */
  readonly menus: readonly MenuRow[];
  /** Their language; views are translated when they are composed. */
  readonly translate: Translate;
}

/** Key of the views of one model and type, inherits included. */
export function viewsKey(model: string, type: string): string {
  return `${model}/${type}`;
}

export const interfaceCache: CacheSpec<undefined, Interface> = { droppedBy: ['views'], load: loadInterface };

export async function loadInterface(env: Env): Promise<Interface> {
  const [views, actions, menus, names] = await Promise.all([
    env.model('sys.view').searchRead([['active', '=', true]], viewPaths, { order: 'priority, id' }),
    env.model('sys.action.window').searchRead([], actionPaths, { order: 'id' }),
    env.model('sys.menu').searchRead([['active', '=', true]], menuPaths, { order: 'sequence, id' }),
    env
      .model('sys.model.data')
      .searchRead([['model', 'in', ['sys.action.window', 'sys.menu']]], ['module', 'name', 'model', 'res_id']),
    // Views are composed from the result.
    openXml(),
  ]);
  const keys = new Map(names.map((row) => [`${row.model},${row.res_id}`, `${row.module}.${row.name}`]));
  const known = actions.map((row) => toAction(row, keys.get(`sys.action.window,${row.id}`), env.registry));
  const rows = views.map(toView);
  return {
    views: byKey(rows),
    ownTypes: new Set(rows.flatMap(({ type, module }) => (module === '' || isViewKind(type) ? [] : type))),
    actions: new Map(known.map((action) => [action.id, action])),
    actionIds: new Map(known.map((action) => [action.key, action.id])),
    menus: menus.map((row) => toMenu(row, keys.get(`sys.menu,${row.id}`))),
    translate: inEnglish,
  };
}

const groupKeys = { group_ids: ['key'] };
const viewPaths = ['key', 'model', 'type', 'arch', 'inherit_id', 'priority', 'module', 'file', 'line', groupKeys];
const actionPaths = [
  ...['name', 'model', 'view_mode', 'domain', 'context', 'target', 'limit', 'order', 'help', 'module'],
  ...['opens_with', 'compare', 'new_label'],
  groupKeys,
];
const menuPaths = ['name', 'parent_id', 'action_id', 'icon', 'is_counted', 'module', groupKeys];

function toView(row: WireRecord): ViewRow {
  return {
    id: row.id,
    key: text(row.key) ?? '',
    model: String(row.model),
    type: String(row.type),
    arch: String(row.arch),
    inheritId: (row.inherit_id as number | null) ?? null,
    priority: row.priority as number,
    module: text(row.module) ?? '',
    file: text(row.file) ?? `sys.view ${row.id}`,
    line: (row.line as number | null) ?? 1,
    groups: groupsOf(row),
  };
}

function toAction(row: WireRecord, externalId: string | undefined, registry: Registry): WindowAction {
  const model = registry.models.get(String(row.model));
  return {
    id: row.id,
    key: externalId ?? String(row.id),
    name: String(row.name),
    model: String(row.model),
    modes: String(row.view_mode)
      .split(',')
      .map((mode) => mode.trim())
      .filter((mode) => mode !== ''),
    domain: withoutSets(registry, model, row.domain),
    context: isObject(row.context) ? row.context : {},
    target: row.target === 'dialog' ? 'dialog' : 'current',
    limit: (row.limit as number | null) ?? null,
    order: text(row.order),
    opensWith: withoutSets(registry, model, row.opens_with),
    compare: text(row.compare),
    newLabel: text(row.new_label),
    help: text(row.help),
    module: text(row.module),
    groups: groupsOf(row),
  };
}

/** A domain with sets replaced by their values. A wrong one stays as it is: it is an error of its action only. */
function withoutSets(registry: Registry, model: Model | undefined, domain: unknown): Domain {
  if (!Array.isArray(domain)) return [];
  try {
    const node = parseAuthoredDomain(domain);
    const expanded = model ? expandDomain(registry, model, node) : node;
    return expanded === node ? (domain as Domain) : serializeDomain(expanded);
  } catch (error) {
    if (!(error instanceof KontorError)) throw error;
    return domain as Domain;
  }
}

function toMenu(row: WireRecord, externalId: string | undefined): MenuRow {
  return {
    id: row.id,
    key: externalId ?? String(row.id),
    name: String(row.name),
    parentId: (row.parent_id as number | null) ?? null,
    actionId: (row.action_id as number | null) ?? null,
    icon: text(row.icon),
    isCounted: row.is_counted === true,
    module: text(row.module),
    groups: groupsOf(row),
  };
}

function byKey(views: readonly ViewRow[]): ReadonlyMap<string, readonly ViewRow[]> {
  const found = new Map<string, ViewRow[]>();
  for (const view of views) {
    const key = viewsKey(view.model, view.type);
    const known = found.get(key);
    if (known) known.push(view);
    else found.set(key, [view]);
  }
  return found;
}

function groupsOf(row: WireRecord): readonly string[] {
  return (row.group_ids as readonly WireRecord[]).map((group) => String(group.key));
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const kept = new WeakMap<Interface, Map<Translate, Interface>>();

/** Views, actions and menus as last read, in a language; dropped when someone changes them anywhere. */
export async function interfaceIn(kernel: Kernel, lang: string): Promise<Interface> {
  return translateInterface(await kernel.cached(interfaceCache, undefined), kernel.wordsIn(lang));
}

/** Actions and menus in another language; views follow when they are composed. Texts that users changed stay. */
function translateInterface(screens: Interface, translate: Translate): Interface {
  const known = kept.get(screens) ?? new Map<Translate, Interface>();
  kept.set(screens, known);
  const found = known.get(translate);
  if (found) return found;
  const actions = [...screens.actions].map(([id, action]) => {
    const module = action.module ?? undefined;
    const said = (words: string | null) => (words === null ? null : translate(words, module));
    const { name, help, newLabel } = action;
    return [id, { ...action, name: translate(name, module), help: said(help), newLabel: said(newLabel) }] as const;
  });
  const made: Interface = {
    ...screens,
    actions: new Map(actions),
    menus: screens.menus.map((menu) => ({ ...menu, name: translate(menu.name, menu.module ?? undefined) })),
    translate,
  };
  known.set(translate, made);
  return made;
}

/** Whether something with these groups is visible to the user; without groups, everyone sees it. */
export function inGroups(groups: readonly string[], actor: Pick<Actor, 'groups'>): boolean {
  return groups.length === 0 || groups.some((group) => actor.groups.has(group));
}
