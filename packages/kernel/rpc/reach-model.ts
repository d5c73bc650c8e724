import {
  type Action,
  authorName,
  type Env,
  type Field,
  labelFromName,
  type Model,
  mayAccessModel,
  mayReadField,
  type ReadQuery,
} from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { type DomainNode, invalidArgs, type KontorError, type WireRecord } from '@kontor/protocol';

const reachFields = {
  model: fields.char({ size: 128, readonly: true }),
  label: fields.char({ size: 200, readonly: true }),
  can_read: fields.boolean({ readonly: true }),
  can_create: fields.boolean({ readonly: true }),
  can_write: fields.boolean({ readonly: true }),
  can_unlink: fields.boolean({ readonly: true, label: 'Can delete' }),
  fields: fields.json({ readonly: true, help: 'Those that the caller may read.' }),
  actions: fields.json({ readonly: true, help: 'Those that the caller may run, and what they ask.' }),
};
export interface SysReach extends FieldsOf<typeof reachFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.reach': SysReach;
  }
}

/** What the caller may do with each readable model, within the scope of their key, and its fields. */
export const sysReach = defineModel('sys.reach', {
  label: 'Reach of a caller',
  order: 'model',
  displayName: '{model}',
  quiet: true,
  fields: reachFields,
  served: { read },
});

const names = [...Object.keys(reachFields), 'display_name'];
/** They are long, so they are returned only on request. */
const onRequest: ReadonlySet<string> = new Set(['fields', 'actions']);

async function read(env: Env, { domain, fields: asked, options }: ReadQuery): Promise<readonly WireRecord[]> {
  const shown = asked?.filter((name) => name !== 'id') ?? names.filter((name) => !onRequest.has(name));
  const { fields: all } = env.registry.model('sys.reach');
  const unknown = shown.find((name) => !all.has(name as string));
  if (unknown !== undefined) throw refused('fields', `There is no field ${JSON.stringify(unknown)}.`);
  if (options.order !== undefined && options.order !== 'model')
    throw refused('order', 'They come in the order of model.');
  const wanted = toModels(domain);
  const { offset = 0, limit = 500 } = options;
  return [...env.registry.models.values()]
    .filter((model) => (wanted === null || wanted.has(model.name)) && mayAccessModel(env, model, 'read'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(offset, offset + limit)
    .map((model, index) => ({ id: offset + index + 1, ...row(env, model, new Set(shown as string[])) }));
}

/** Null: all of them. */
function toModels(domain: DomainNode): ReadonlySet<unknown> | null {
  if (domain.kind === 'all') return null;
  const isAsked = domain.kind === 'condition' && domain.path.join('.') === 'model';
  if (isAsked && domain.operator === '=') return new Set([domain.value]);
  if (isAsked && domain.operator === 'in' && Array.isArray(domain.value)) return new Set(domain.value);
  throw refused('domain', 'Ask for all, or by model with "=" or "in".');
}

function row(env: Env, model: Model, shown: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  const may = (operation: 'create' | 'write' | 'unlink') => !model.served && mayAccessModel(env, model, operation);
  const cells: Readonly<Record<string, () => unknown>> = {
    model: () => model.name,
    display_name: () => model.name,
    label: () => model.label,
    can_read: () => true,
    can_create: () => may('create'),
    can_write: () => may('write'),
    can_unlink: () => may('unlink'),
    fields: () => [...model.fields.values()].filter((field) => mayReadField(env, field)).map(toField),
    actions: () => [...model.actions.values()].filter((action) => mayRun(env, model, action)).map(toAction),
  };
  return Object.fromEntries([...shown].map((name) => [name, cells[name]?.() ?? null]));
}

function toField({ name, label, spec, required, isReadonly, isStored, selection }: Field) {
  return {
    ...{ name, label, type: spec.type },
    ...(spec.relation ? { relation: spec.relation } : {}),
    ...(required ? { required } : {}),
    ...(isReadonly ? { readonly: true } : {}),
    ...(isStored ? {} : { stored: false }),
    ...(selection ? { choices: [...selection] } : {}),
    ...(spec.help ? { help: spec.help } : {}),
  };
}

function mayRun(env: Env, model: Model, { groups, needs }: Action): boolean {
  return (groups === null || groups.some((group) => env.actor.groups.has(group))) && mayAccessModel(env, model, needs);
}

function toAction(action: Action) {
  const { name, asks } = action;
  return {
    name,
    label: actionLabel(name, action),
    ...(action.kind === 'move' ? { moves: action.moves.map(({ from, to }) => ({ from: [...from], to })) } : {}),
    ...(asks.size > 0 ? { asks: [...asks.values()].map(toField) } : {}),
  };
}

/** The label of its button. */
export function actionLabel(name: string, action: Action | undefined): string {
  const label = action?.kind === 'move' ? action.moves[0]?.label : action?.label;
  return label ?? labelFromName(authorName(name) ?? name);
}

function refused(field: string, message: string): KontorError {
  return invalidArgs(message, { field });
}
