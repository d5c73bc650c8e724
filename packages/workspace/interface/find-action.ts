import type { Actor, Model, Registry } from '@kontor/orm';
import { accessDenied, type Domain, didYouMean, invalidArgs, KontorError, text, viewTypes } from '@kontor/protocol';
import type { WorkspaceQuery } from '../query/workspace-query.ts';
import { type Interface, inGroups, viewsKey, type WindowAction } from './load-interface.ts';

/** The requested window action, by id or external id; with only a model, a virtual one. */
export function findAction(
  screens: Interface,
  { registry, actor }: { readonly registry: Registry; readonly actor: Actor },
  query: WorkspaceQuery,
): WindowAction {
  const name = query.action === '' || query.action === '0' ? actionOfMenu(screens, query) : query.action;
  if (name === null) return modelAction(screens, registry, query.model);
  const action = actionNamed(screens, name);
  if (!inGroups(action.groups, actor)) {
    throw accessDenied('sys.action.window', 'read', 'rule', {
      message: text('You may not open {action}.', { action: action.name }),
    });
  }
  if (query.model !== '' && query.model !== action.model) {
    throw invalidArgs(`The action ${name} shows ${action.model}, not ${query.model.slice(0, 100)}.`, {
      field: 'model',
    });
  }
  return action;
}

function actionOfMenu(screens: Interface, { menuId, model }: WorkspaceQuery): string | null {
  if (model !== '') return null;
  const menu = menuId === null ? undefined : screens.menus.find(({ id }) => id === menuId);
  if (menu?.actionId) return String(menu.actionId);
  throw invalidArgs('Say which action or model to open.', { field: 'action' });
}

function actionNamed(screens: Interface, name: string): WindowAction {
  const id = /^\d{1,10}$/.test(name) ? Number(name) : screens.actionIds.get(name);
  const action = id === undefined ? undefined : screens.actions.get(id);
  if (action) return action;
  const hint = didYouMean(name, screens.actionIds.keys());
  throw new KontorError('NOT_FOUND', text('There is no action {action}.{hint}', { action: name.slice(0, 200), hint }), {
    action: name.slice(0, 200),
  });
}

function modelAction(screens: Interface, registry: Registry, name: string): WindowAction {
  const model = registry.model(name);
  return {
    id: 0,
    key: model.name,
    name: model.label,
    model: model.name,
    modes: modesOf(screens, model),
    domain: [] as Domain,
    context: {},
    target: 'current',
    limit: null,
    order: null,
    opensWith: [],
    compare: null,
    newLabel: null,
    help: null,
    module: null,
    groups: [],
  };
}

/** A list and a form always exist; other types only if a view was written. */
function modesOf(screens: Interface, model: Model): readonly string[] {
  const types = new Set<string>([...viewTypes, ...screens.ownTypes]);
  return [...types].filter(
    (type) => type === 'list' || type === 'form' || screens.views.has(viewsKey(model.name, type)),
  );
}
