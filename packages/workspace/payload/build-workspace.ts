import { type Kernel, type OwnViewTypes, ownViewTypes } from '@kontor/kernel';
import { type AccessPolicy, type Actor, checkModelAccess, type Env, mayAccessModel } from '@kontor/orm';
import {
  type Arch,
  KontorError,
  type LruCache,
  lruCache,
  serializeDomain,
  text,
  type WorkspacePayload,
} from '@kontor/protocol';
import { type ArchOutput, toArch, viewerOf } from '@kontor/views';
import { findAction } from '../interface/find-action.ts';
import { findStoredView, findView, type ViewSources, viewSources } from '../interface/find-view.ts';
import { type Interface, inGroups, interfaceIn, type WindowAction } from '../interface/load-interface.ts';
import { findMenu } from '../menus/visible-menus.ts';
import { placeParts, queryString, searchParts, type WorkspaceQuery } from '../query/workspace-query.ts';
import {
  ownColumns,
  ownFolds,
  ownGrids,
  ownSearches,
  type UserSettings,
  userSettings,
  withDefaultSearch,
} from '../settings/load-user-settings.ts';
import { loadView } from './load-view.ts';
import { contextDefaults, type NewRecord, newRecord } from './new-record.ts';
import { searchState } from './search-state.ts';
import type { ViewData } from './view-request.ts';
import { breadcrumbs, chooseViewType, viewTabs } from './view-tabs.ts';

export const pageSize = 80;

export interface WorkspaceCaller {
  readonly actor: Actor;
  readonly csrf: string;
  /** WAL position of the caller's last change, for loads that may go to the replica. */
  readonly lastWrite: string | null;
}

/** A view with its records, as one payload, in the caller's name. Everything but a form may come from the replica. */
export async function buildWorkspace(
  kernel: Kernel,
  caller: WorkspaceCaller,
  asked: WorkspaceQuery,
): Promise<WorkspacePayload> {
  const { actor, lastWrite } = caller;
  const [screens, settings] = await Promise.all([interfaceIn(kernel, actor.lang), userSettings(kernel, actor.uid)]);
  const action = findAction(screens, { registry: kernel.loaded.registryIn(actor.lang), actor }, asked);
  const own = ownViewTypes(kernel.loaded);
  const viewType = chooseViewType(action, asked, own);
  const query = withDefaultSearch(asked, settings, action);
  const replica = viewType === 'form' ? null : { lastWrite };
  const options = { isOutside: true, replica };
  return kernel.read(
    actor,
    (env) => build({ kernel, caller, env, screens, settings, action, viewType, query, own }),
    options,
  );
}

interface Screen {
  readonly kernel: Kernel;
  readonly caller: WorkspaceCaller;
  readonly env: Env;
  readonly screens: Interface;
  readonly settings: UserSettings;
  readonly action: WindowAction;
  readonly viewType: string;
  readonly query: WorkspaceQuery;
  readonly own: OwnViewTypes;
}

async function build(screen: Screen): Promise<WorkspacePayload> {
  const { kernel, caller, env, screens, settings, action, viewType, query } = screen;
  const menuId = findMenu({ screens, env, states: kernel.loaded.states }, query.menuId, action.id);
  const model = env.registry.model(action.model);
  checkModelAccess(env, model, 'read');
  const view = viewArch(env, viewSources(kernel, env, screens), model.name, viewType);
  const { kind, arch, projection } = view;
  const context = { ...action.context, ...query.context };
  const search = searchState({ env, model, action, context, view, query });
  const askedLimit = query.limit ?? action.limit ?? view.query.limit;
  const page = { limit: askedLimit ?? pageSize, offset: query.offset };
  const defaults = contextDefaults(env, model, context, query.activeIds);
  const isNew = viewType === 'form' && query.id === null;
  const [data, first] = await Promise.all([
    loadView(kind, { env, model, action, arch, projection, search, query, page, askedLimit }),
    isNew ? newRecord(env, model, defaults) : null,
  ]);
  return {
    actionId: action.id,
    menuId,
    viewType,
    model: model.name,
    recordId: (viewType === 'form' && query.id) || 0,
    formEdit: isNew || (viewType === 'form' && query.edit && arch.rights.write),
    csrfToken: caller.csrf,
    arch: {
      ...finishArch(arch, action, settings, data, first),
      fields: withDomains(arch.fields, first?.domains ?? {}),
      domain: serializeDomain(search.domain),
      paths: data.paths ?? projection,
    },
    records: data.records,
    viewTabs: viewTabs(screen, menuId, viewType, screens.translate),
    breadcrumbs: breadcrumbs(
      { ...screen, isTransient: model.isTransient === true },
      menuId,
      viewType === 'form',
      data,
      screens.translate,
    ),
    listSearch: query.q,
    listTotal: data.total,
    listSort: search.order ?? '',
    listOffset: query.offset,
    listFilter: search.filters.join(','),
    formBaseQuery: formQuery(screen, menuId, data, page.limit),
    defaults,
  };
}

function withDomains(fields: Arch['fields'], domains: NewRecord['domains']): Arch['fields'] {
  return fields.map((field) => {
    const domain = Object.hasOwn(domains, field.name) ? domains[field.name] : undefined;
    return domain ? { ...field, domain } : field;
  });
}

/** What the view says for everyone, with what is this action's, this person's and these records'. */
function finishArch(
  arch: Arch,
  action: WindowAction,
  settings: UserSettings,
  data: ViewData,
  first: NewRecord | null,
): Arch {
  const columns = ownColumns(settings, action, arch);
  const kanban = data.arch?.kanban;
  return {
    ...arch,
    key: action.key,
    title: action.name,
    ...(action.help === null ? {} : { help: action.help }),
    ...(action.target === 'dialog' ? { target: action.target } : {}),
    ...(columns ? { columns } : {}),
    search: { ...arch.search, saved: ownSearches(settings, action) },
    ...(arch.form
      ? { form: { ...ownGrids(settings, action, arch.form), ...(first ? { values: first.values } : {}) } }
      : {}),
    ...data.arch,
    ...(kanban ? { kanban: ownFolds(settings, action, kanban) } : {}),
  };
}

function formQuery({ action, viewType, query }: Screen, menuId: string, data: ViewData, limit: number): string {
  const isForm = viewType === 'form';
  const pager = data.arch?.pager;
  const offset = pager && limit > 0 ? Math.floor((pager.position - 1) / limit) * limit : query.offset;
  return queryString([
    ...placeParts(action, menuId),
    ['view_type', 'form'],
    ['id', isForm ? query.id : null],
    ...searchParts(query),
    ['limit', query.limit],
    ['offset', offset || null],
  ]);
}

/** Archs depend on views, rights, groups and language only, so people with the same groups and language share them. */
const archs = new WeakMap<Interface, WeakMap<AccessPolicy, LruCache<string, ArchOutput>>>();
const maxArchs = 5_000;

/** What the client draws a view of a model from, for the person of the env. */
export function viewArch(env: Env, sources: ViewSources, model: string, type: string): ArchOutput {
  const view = findView(sources, model, type);
  if (!view) {
    const { label } = env.registry.model(model);
    throw new KontorError(
      'NOT_FOUND',
      text('{model} has no {type} view, and no fields for one.', { model: label, type }),
      {
        model,
        view_type: type,
      },
    );
  }
  const search = findStoredView(sources, model, 'search');
  const known = archsOf(sources.screens, env.policy);
  const key = [env.registry.version, view.key, search?.key ?? '', groupsKey(env)].join('|');
  const kept = known.get(key);
  if (kept) return kept;
  const made = toArch({
    view: view.node,
    search: search?.node ?? null,
    registry: env.registry,
    viewer: viewerOf(env),
    translate: sources.screens.translate,
    viewFor: (related, kind) => findStoredView(sources, related, kind)?.node ?? null,
    mayOpen: (action) => mayOpen(env, sources.screens, action),
    targetOf: (action) => actionNamed(sources.screens, action)?.target ?? 'current',
  });
  known.set(key, made);
  return made;
}

function mayOpen(env: Env, screens: Interface, name: string): boolean {
  const action = actionNamed(screens, name);
  const model = action && env.registry.models.get(action.model);
  return (
    action !== undefined &&
    model !== undefined &&
    inGroups(action.groups, env.actor) &&
    mayAccessModel(env, model, 'read')
  );
}

function actionNamed(screens: Interface, name: string): WindowAction | undefined {
  return screens.actions.get(screens.actionIds.get(name) ?? Number(name));
}

function archsOf(screens: Interface, policy: AccessPolicy): LruCache<string, ArchOutput> {
  const byPolicy = archs.get(screens) ?? new WeakMap<AccessPolicy, LruCache<string, ArchOutput>>();
  archs.set(screens, byPolicy);
  const known = byPolicy.get(policy) ?? lruCache<string, ArchOutput>(maxArchs);
  byPolicy.set(policy, known);
  return known;
}

const keys = new WeakMap<ReadonlySet<string>, string>();

function groupsKey({ actor }: Env): string {
  const known = keys.get(actor.groups);
  if (known !== undefined) return known;
  const key = [...actor.groups].sort().join();
  keys.set(actor.groups, key);
  return key;
}
