import { type Kernel, type OwnViewTypes, ownViewTypes } from '@kontor/kernel';
import { type Actor, checkModelAccess, type Env } from '@kontor/orm';
import { type Arch, serializeDomain, type WorkspacePayload } from '@kontor/protocol';
import { loadBoard } from './boards/load-board.ts';
import { findAction } from './interface/find-action.ts';
import { viewSources } from './interface/find-view.ts';
import { type Interface, interfaceIn, type WindowAction } from './interface/load-interface.ts';
import { findMenu } from './menus/visible-menus.ts';
import { moneyIn } from './payload/load-list.ts';
import { loadView } from './payload/load-view.ts';
import { contextDefaults, type NewRecord, newRecord } from './payload/new-record.ts';
import { pathFields } from './payload/path-fields.ts';
import { searchState } from './payload/search-state.ts';
import { viewArch } from './payload/view-arch.ts';
import type { ViewData } from './payload/view-request.ts';
import { breadcrumbs, chooseViewType, viewTabs } from './payload/view-tabs.ts';
import { placeParts, queryString, searchParts, type WorkspaceQuery } from './query/workspace-query.ts';
import {
  openingQuery,
  ownColumns,
  ownFolds,
  ownGrids,
  ownSearches,
  type UserSettings,
  userSettings,
  withDefaultSearch,
} from './settings/load-user-settings.ts';

export const pageSize = 80;

export interface WorkspaceCaller {
  readonly actor: Actor;
  readonly csrf: string;
  /** WAL position of the caller's last change, for loads that may go to the replica. */
  readonly lastWrite: string | null;
}

/** A view with its records, as one payload, for the caller. Everything but a form may come from the replica. */
export async function buildWorkspace(
  kernel: Kernel,
  caller: WorkspaceCaller,
  asked: WorkspaceQuery,
  /** Replaces views by those of a preview. */
  change: (screens: Interface) => Interface = (screens) => screens,
): Promise<WorkspacePayload> {
  const { actor, lastWrite } = caller;
  const [stored, settings] = await Promise.all([interfaceIn(kernel, actor.lang), userSettings(kernel, actor.uid)]);
  const screens = change(stored);
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
  const view = viewArch(env, viewSources(kernel, env, screens), model.name, viewType, query.figures);
  const { kind, arch, projection } = view;
  const context = { ...action.context, ...query.context };
  const search = searchState({ env, model, action, context, view, query });
  const askedLimit = query.limit ?? action.limit ?? view.query.limit;
  const page = { limit: askedLimit ?? pageSize, offset: query.offset };
  const defaults = contextDefaults(env, model, context, query.activeIds);
  const isNew = viewType === 'form' && query.id === null;
  const isBoard = model.name === 'sys.board' && viewType === 'form' && query.id !== null;
  const [data, first, board, money] = await Promise.all([
    loadView(kind, { env, model, action, arch, projection, search, query, config: kernel.config, page, askedLimit }),
    isNew ? newRecord(env, model, defaults) : null,
    isBoard ? loadBoard(screen, query.id ?? 0, query.tiles) : null,
    moneyIn({ env, query }),
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
      ...(board ? { board } : {}),
      ...money,
      fields: [...withDomains(arch.fields, first?.domains ?? {}), ...pathFields(env, model, search.groupBy)],
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

/** The view as it is for everyone, combined with what is specific to this action, user and records. */
function finishArch(
  arch: Arch,
  action: WindowAction,
  settings: UserSettings,
  data: ViewData,
  first: NewRecord | null,
): Arch {
  const columns = ownColumns(settings, action, arch);
  const kanban = data.arch?.kanban;
  const opening = openingQuery(action);
  return {
    ...arch,
    key: action.key,
    title: action.name,
    ...(action.help === null ? {} : { help: action.help }),
    ...(action.newLabel === null ? {} : { newLabel: action.newLabel }),
    ...(action.target === 'dialog' ? { target: action.target } : {}),
    ...(columns ? { columns } : {}),
    search: { ...arch.search, saved: ownSearches(settings, action), ...(opening ? { opening } : {}) },
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
