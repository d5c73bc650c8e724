import type { CacheSpec, Kernel } from '@kontor/kernel';
import type { Env } from '@kontor/orm';
import {
  type Arch,
  type FieldNode,
  type FormArch,
  type FormNode,
  type KanbanArch,
  type ListColumn,
  parseDomain,
  type SavedSearch,
} from '@kontor/protocol';
import type { WindowAction } from '../interface/load-interface.ts';
import { readWorkspaceQuery, type WorkspaceQuery } from '../query/workspace-query.ts';

export interface SavedSearchRow {
  readonly id: number;
  readonly name: string;
  readonly model: string;
  readonly action: string;
  readonly query: string;
  readonly isMine: boolean;
  readonly isShared: boolean;
  readonly isDefault: boolean;
}

/** A user's own settings, and searches that others share with them. */
export interface UserSettings {
  readonly values: ReadonlyMap<string, unknown>;
  readonly searches: readonly SavedSearchRow[];
}

export const settingsCache: CacheSpec<number, UserSettings> = { droppedBy: ['settings'], load: loadUserSettings };

/** As last read; dropped when they change anywhere. */
export function userSettings(kernel: Kernel, uid: number): Promise<UserSettings> {
  return kernel.cached(settingsCache, uid);
}

async function loadUserSettings(env: Env, uid: number): Promise<UserSettings> {
  const [settings, searches] = await Promise.all([
    env.model('sys.user.setting').searchRead([['user_id', '=', uid]], ['key', 'value']),
    env
      .model('sys.saved.search')
      .searchRead(
        ['|', ['user_id', '=', uid], ['is_shared', '=', true]],
        ['name', 'model', 'action', 'query', 'user_id', 'is_shared', 'is_default'],
      ),
  ]);
  return {
    values: new Map(settings.map((row) => [String(row.key), row.value])),
    searches: searches.map((row) => ({
      id: row.id,
      name: String(row.name),
      model: String(row.model),
      action: typeof row.action === 'string' ? row.action : '',
      query: String(row.query),
      isMine: row.user_id === uid,
      isShared: row.is_shared === true,
      // Users cannot set the initial search of others.
      isDefault: row.is_default === true && row.user_id === uid,
    })),
  };
}

/** The user's columns with order and width, without columns that the list does not have (any more). */
export function ownColumns(settings: UserSettings, action: WindowAction, arch: Arch): Arch['columns'] {
  const value = settings.values.get(`columns:${action.key}`);
  if (!arch.list || typeof value !== 'object' || value === null) return undefined;
  const known = new Set(arch.list.columns.map((column) => column.name));
  const { order, hidden, widths } = value as Readonly<Record<string, unknown>>;
  return { order: namesIn(order, known), hidden: namesIn(hidden, known), widths: widthsIn(widths, known) };
}

function namesIn(value: unknown, known: ReadonlySet<string>): readonly string[] {
  return Array.isArray(value)
    ? [...new Set(value as unknown[])].filter((name): name is string => known.has(name as string))
    : [];
}

function widthsIn(value: unknown, known: ReadonlySet<string>): Readonly<Record<string, number>> {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value).filter(([name, width]) => known.has(name) && isWidth(width));
  return Object.fromEntries(entries) as Record<string, number>;
}

function isWidth(width: unknown): boolean {
  return typeof width === 'number' && width > 0 && width <= 4_000;
}

/** Columns that a user folded or opened; the others follow their stage. */
export function ownFolds(settings: UserSettings, action: WindowAction, kanban: KanbanArch): KanbanArch {
  const choices = settings.values.get(`folds:${action.key}`);
  if (typeof choices !== 'object' || choices === null) return kanban;
  const chosen = choices as Readonly<Record<string, unknown>>;
  const columns = kanban.columns.map((column) => {
    const key = JSON.stringify([kanban.groupField, column.value]);
    const fold = Object.hasOwn(chosen, key) ? chosen[key] : undefined;
    return typeof fold === 'boolean' ? { ...column, fold } : column;
  });
  return { ...kanban, columns };
}

/**
 * The form with the columns of its grids shown or hidden as the user chose; only those that the view marks as optional.
 */
export function ownGrids(settings: UserSettings, action: WindowAction, form: FormArch): FormArch {
  const prefix = `columns:${action.key}/`;
  if (![...settings.values.keys()].some((key) => key.startsWith(prefix))) return form;
  return { ...form, children: form.children.map((node) => withChoice(node, settings, prefix)) };
}

function withChoice(node: FormNode, settings: UserSettings, prefix: string): FormNode {
  if (node.kind === 'group') {
    return { ...node, children: node.children.map((child) => withChoice(child, settings, prefix)) };
  }
  if (node.kind === 'notebook') {
    const pages = node.pages.map((page) => ({
      ...page,
      children: page.children.map((child) => withChoice(child, settings, prefix)),
    }));
    return { ...node, pages };
  }
  return node.kind === 'field' ? withColumns(node, settings.values.get(`${prefix}${node.name}`)) : node;
}

function withColumns(node: FieldNode, choice: unknown): FieldNode {
  if (!node.list || typeof choice !== 'object' || choice === null) return node;
  const { hidden } = choice as Readonly<Record<string, unknown>>;
  if (!Array.isArray(hidden)) return node;
  const columns = node.list.columns.map(
    (column): ListColumn =>
      column.optional === undefined
        ? column
        : { ...column, optional: (hidden as unknown[]).includes(column.name) ? 'hide' : 'show' },
  );
  return { ...node, list: { ...node.list, columns } };
}

/** The searches of this screen: the user's own, and shared ones. */
export function ownSearches(settings: UserSettings, action: WindowAction): readonly SavedSearch[] {
  return searchesOf(settings, action).map(({ id, name, isShared, isMine, isDefault, query }) => ({
    id,
    name,
    isShared,
    isMine,
    isDefault,
    query,
  }));
}

/** A screen that is opened without a search gets the user's default search, or else that of the action. */
export function withDefaultSearch(query: WorkspaceQuery, settings: UserSettings, action: WindowAction): WorkspaceQuery {
  const { q, filter, groupBy, domain, sort } = query;
  const isOpen = q === '' && filter === null && groupBy === null && domain === null && sort === null;
  if (!isOpen) return query;
  const own = searchesOf(settings, action).find((search) => search.isDefault);
  if (!own) return action.opensWith.length > 0 ? { ...query, domain: parseDomain(action.opensWith) } : query;
  const kept = readWorkspaceQuery(Object.fromEntries(new URLSearchParams(own.query)));
  // A saved search contains all of its filters; the view's default filters are not added.
  return {
    ...query,
    q: kept.q,
    filter: kept.filter ?? [],
    groupBy: kept.groupBy,
    domain: kept.domain,
    sort: kept.sort,
    scale: query.scale ?? kept.scale,
    color: query.color ?? kept.color,
    convert: query.convert ?? kept.convert,
  };
}

/** The same for the client, which also renders the comparison. */
export function openingQuery({ opensWith, compare }: WindowAction): string {
  return new URLSearchParams({
    ...(opensWith.length > 0 ? { domain: JSON.stringify(opensWith) } : {}),
    ...(compare ? { compare } : {}),
  }).toString();
}

function searchesOf({ searches }: UserSettings, { id, key, model }: WindowAction): readonly SavedSearchRow[] {
  const places: ReadonlySet<string> = new Set(['', key, String(id)]);
  return searches.filter((search) => search.model === model && places.has(search.action));
}
