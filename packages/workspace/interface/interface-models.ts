import { baseModule } from '@kontor/kernel';
import { looseEnv } from '@kontor/orm';
import { defineModel, type Env, type FieldsOf, fields } from '@kontor/orm/author';
import { text, UserError, ValidationError } from '@kontor/protocol';
import {
  baseOf,
  type CheckContext,
  checkView,
  clientWidgets,
  composeStoredView,
  type ReferenceKind,
  ViewError,
  type ViewNode,
  type WidgetSpec,
  type Widgets,
} from '@kontor/views';
import { loadInterface, type ViewRow } from './load-interface.ts';

const viewFields = {
  name: fields.char({ required: true, size: 200 }),
  key: fields.char({ size: 200, unique: true, help: 'External id, such as sale.order_form.' }),
  model: fields.char({ required: true, size: 128, index: true, names: 'model' }),
  type: fields.char({ required: true, size: 16 }),
  arch: fields.text({ required: true, names: 'arch' }),
  inherit_id: fields.many2one('sys.view', { ondelete: 'cascade', label: 'Inherits' }),
  priority: fields.integer({ default: 16, required: true }),
  module: fields.char({ size: 64 }),
  file: fields.char({ size: 300 }),
  line: fields.integer({ aggregate: 'none' }),
  group_ids: fields.many2many('core.group', { label: 'Groups' }),
  active: fields.boolean({ default: true }),
};
interface SysView extends FieldsOf<typeof viewFields> {}

const actionFields = {
  name: fields.char({ required: true, size: 200 }),
  model: fields.char({ required: true, size: 128, names: 'model' }),
  view_mode: fields.char({ required: true, size: 200, default: 'list,form' }),
  domain: fields.json({ names: 'domain' }),
  context: fields.json({}),
  target: fields.selection({ current: 'Main area', dialog: 'Dialog' }, { default: 'current' }),
  limit: fields.integer({ min: 1, max: 500 }),
  order: fields.char({ size: 200, names: 'order' }),
  opens_with: fields.json({ names: 'domain', help: 'Filters that are applied at first and that people can remove.' }),
  compare: fields.selection({ previous: 'Previous period', year: 'Previous year' }),
  new_label: fields.char({
    label: 'Name for new',
    size: 200,
    help: 'The label of the button and the command that create a record here.',
  }),
  help: fields.html({}),
  module: fields.char({ size: 64 }),
  group_ids: fields.many2many('core.group', { label: 'Groups' }),
};
interface SysActionWindow extends FieldsOf<typeof actionFields> {}

const menuFields = {
  name: fields.char({ required: true, size: 200 }),
  parent_id: fields.many2one('sys.menu', { ondelete: 'cascade', label: 'Parent' }),
  action_id: fields.many2one('sys.action.window', { ondelete: 'cascade', label: 'Action' }),
  sequence: fields.integer({ default: 10, required: true }),
  icon: fields.char({ size: 200 }),
  is_counted: fields.boolean({
    default: false,
    label: 'Shows a count',
    help: 'Shows how many records its action leads to.',
  }),
  module: fields.char({ size: 64 }),
  group_ids: fields.many2many('core.group', { label: 'Groups' }),
  active: fields.boolean({ default: true }),
};
interface SysMenu extends FieldsOf<typeof menuFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.view': SysView;
    'sys.action.window': SysActionWindow;
    'sys.menu': SysMenu;
  }
}

export const sysView = defineModel('sys.view', {
  label: 'View',
  noCompany: 'Views are the same for every company.',
  closedToAgents: true,
  ownRules: 'Who may read views may read all of them; administrators change them.',
  order: 'model, priority, id',
  fields: viewFields,
  hooks: {
    async afterCreate({ env, ids }) {
      await checkWrittenViews(env, ids);
    },
    async afterWrite({ env, ids }) {
      await checkWrittenViews(env, ids);
    },
    async beforeUnlink({ env, ids }) {
      await checkWithoutViews(env, ids);
    },
  },
});
export const sysActionWindow = defineModel('sys.action.window', {
  label: 'Window action',
  noCompany: 'Screens are the same for every company.',
  order: 'name, id',
  fields: actionFields,
  constraints: {
    domain_is_a_list: {
      on: ['domain'],
      holds: ({ domain }) => domain === null || Array.isArray(domain),
      message: 'A domain is a list of conditions, not a text.',
    },
    context_is_an_object: {
      on: ['context'],
      holds: ({ context }) => context === null || (typeof context === 'object' && !Array.isArray(context)),
      message: 'A context is an object of names and values, not a text.',
    },
  },
  hooks: {
    async afterCreate({ env, ids }) {
      await checkWrittenActions(env, ids);
    },
    async afterWrite({ env, ids }) {
      await checkWrittenActions(env, ids);
    },
  },
});
export const sysMenu = defineModel('sys.menu', {
  label: 'Menu',
  noCompany: 'Menus are the same for every company.',
  order: 'sequence, id',
  ownRules: 'What a person sees of the menus is worked out from groups and actions; administrators change them.',
  fields: menuFields,
});

/**
 * Views and actions written by users are checked against the models like those of addons: a broken one would be an
 * error on everybody's screen. Those of a module are checked by its install, which runs under sudo.
 */
async function checkWrittenViews(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  const { context, views } = await readAll(env);
  const dependsOf = await readDepends(env);
  const archived = ids.filter((id) => !views.some((view) => view.id === id));
  if (archived.length > 0) await checkWithoutViews(env, archived);
  refuseAt('arch', () => {
    for (const view of views.filter(({ id }) => ids.includes(id))) {
      const base = baseOf(views, view.id) as ViewRow;
      const composed = composeStoredView(views, base.id, dependsOf);
      checkRoot(base, composed);
      checkView(composed, context);
    }
  });
}

/** Deleting a view must not leave behind inherits written for what it contains. */
async function checkWithoutViews(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  const { context, views } = await readAll(env);
  const dependsOf = await readDepends(env);
  const rows = await env.sudo().model('sys.view').read(ids, ['model']);
  const models = new Set(rows.map((row) => row.model));
  const left = withParents(views.filter(({ id }) => !ids.includes(id)));
  for (const { id } of left.filter(({ inheritId, model }) => inheritId === null && models.has(model))) {
    try {
      checkView(composeStoredView(left, id, dependsOf), context);
    } catch (error) {
      if (!(error instanceof ViewError)) throw error;
      throw new UserError(text('Another view needs this one. {problem}', { problem: error.problem }));
    }
  }
}

/** Those whose parents are all among them: a view is deleted with the one it inherits from. */
function withParents(views: readonly ViewRow[]): readonly ViewRow[] {
  const ids = new Set(views.map(({ id }) => id));
  const left = views.filter(({ inheritId }) => inheritId === null || ids.has(inheritId));
  return left.length === views.length ? left : withParents(left);
}

async function checkWrittenActions(env: Env, ids: readonly number[]): Promise<void> {
  if (env.isSudo) return;
  const { screens, context } = await readAll(env);
  for (const action of ids.flatMap((id) => screens.actions.get(id) ?? [])) {
    const { name, model, modes, domain, context: given, order, opensWith } = action;
    const place = { addon: 'database', file: name, line: 1 };
    const check = (field: string, attributes: Readonly<Record<string, string>>) => {
      const all = { id: 'action', label: name, model, ...attributes };
      refuseAt(field, () => checkView({ tag: 'action', attributes: all, text: '', children: [], place }, context));
    };
    check('model', {});
    check('view_mode', { views: modes.join(',') });
    check('domain', { domain: JSON.stringify(domain) });
    check('context', { context: JSON.stringify(given) });
    if (order !== null) check('order', { order });
    check('opens_with', { 'opens-with': JSON.stringify(opensWith) });
  }
}

function checkRoot({ model, type }: ViewRow, { tag, attributes, place }: ViewNode): void {
  if ((attributes.as ?? tag) !== type)
    throw new ViewError(place, `A view of type ${type} begins with <${type}>, not <${tag}>.`);
  if (attributes.model !== model)
    throw new ViewError(place, `The view is of ${attributes.model}, its record of ${model}.`);
}

async function readAll(env: Env) {
  const server = looseEnv(env.sudo());
  const screens = await loadInterface(server);
  const rows = await server.model('sys.model.data').searchRead(
    [
      ['model', 'in', [...kinds.keys()]],
      ['res_id', '!=', 0],
    ],
    ['model', 'module', 'name'],
  );
  const names = new Map<ReferenceKind, Set<string>>();
  for (const row of rows) {
    const kind = kinds.get(String(row.model)) as ReferenceKind;
    names.set(kind, (names.get(kind) ?? new Set()).add(`${row.module}.${row.name}`));
  }
  const views = [...screens.views.values()].flat();
  const context: CheckContext = {
    registry: server.registry,
    names: (kind) => names.get(kind) ?? new Set(),
    widgets: knownWidgets(views),
    viewTypes: screens.ownTypes,
  };
  return { screens, context, views };
}

const kinds: ReadonlyMap<string, ReferenceKind> = new Map([
  ['core.group', 'group'],
  ['sys.action.window', 'action'],
  ['sys.menu', 'menu'],
  ['sys.view', 'view'],
]);

/** Widgets of the client, and those of addons that their views use. */
function knownWidgets(views: readonly ViewRow[]): Widgets {
  const known = new Map<string, WidgetSpec>(clientWidgets);
  for (const { arch, module } of views) {
    if (module === '') continue;
    for (const [, name = ''] of arch.matchAll(/\bwidget="([^"]+)"/g)) {
      if (!known.has(name)) known.set(name, { doc: '' });
    }
  }
  return known;
}

async function readDepends(env: Env): Promise<(module: string) => readonly string[]> {
  const rows = await env.sudo().model('sys.module').searchRead([], ['name', 'depends']);
  const depends = new Map(rows.map((row) => [String(row.name), (row.depends ?? []) as readonly string[]]));
  return (module) => (module === baseModule ? [] : [baseModule, ...(depends.get(module) ?? [])]);
}

function refuseAt(field: string, check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof ViewError)) throw error;
    throw new ValidationError({ [field]: [error.hint ? `${error.problem} ${error.hint}` : error.problem] });
  }
}
