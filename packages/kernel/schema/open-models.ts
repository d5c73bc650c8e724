import {
  type Action,
  type Env,
  type Field,
  type Model,
  mayOwnerAccess,
  mayReadField,
  mayWriteField,
} from '@kontor/orm';
import { accessDenied, KontorError } from '@kontor/protocol';
import { type KeyScope, scopeOf } from '../rpc/key-scope.ts';
import { type RpcMethod, rpcMethods } from '../rpc/methods.ts';

/** What a caller can do with a model over the wire: the methods, fields and actions available to them. */
export interface OpenModel {
  readonly model: Model;
  /** Methods of the endpoint, in the order of its table. */
  readonly methods: readonly string[];
  readonly fields: readonly OpenField[];
  readonly actions: readonly Action[];
}

export interface OpenField {
  readonly field: Field;
  readonly canRead: boolean;
  readonly canWrite: boolean;
}

/** Every model with something available to the caller, by name. */
export function openModels(env: Env, scope: KeyScope | null): readonly OpenModel[] {
  return [...env.registry.models.values()]
    .map((model) => openModel(env, model, scope))
    .filter((open) => open.methods.length > 0)
    .sort((left, right) => (left.model.name < right.model.name ? -1 : 1));
}

/** One model; throws MODEL_NOT_FOUND, or ACCESS_DENIED if nothing of it is available. */
export function oneOpenModel(env: Env, name: string, scope: KeyScope | null): OpenModel {
  const open = openModel(env, env.registry.model(name), scope);
  if (open.methods.length === 0) throw accessDenied(name, 'read', 'model', {});
  return open;
}

function openModel(env: Env, model: Model, scope: KeyScope | null): OpenModel {
  const actions = model.served ? [] : [...model.actions.values()].filter((action) => mayRun(env, model, action));
  const covered = [...rpcMethods].filter(([name, method]) => isCovered(scope, model, name, method));
  const methods = covered.filter(([name, method]) =>
    name === 'call'
      ? actions.length > 0
      : mayOwnerAccess(env, model, method.needs) && (!model.served || isServed(model.served, name)),
  );
  return {
    model,
    methods: methods.map(([name]) => name),
    fields: methods.length === 0 ? [] : openFields(env, model, scope, methods[0] as [string, RpcMethod]),
    actions: methods.some(([name]) => name === 'call') ? actions : [],
  };
}

function mayRun(env: Env, model: Model, { groups, needs }: Action): boolean {
  const isMember = groups === null || groups.some((group) => env.actor.groups.has(group));
  return isMember && mayOwnerAccess(env, model, needs);
}

function isServed(served: NonNullable<Model['served']>, method: string): boolean {
  if (method === 'search_read') return true;
  if (method === 'create' || method === 'create_many') return served.create !== undefined;
  return (method === 'unlink' || method === 'unlink_many') && served.unlink !== undefined;
}

function isCovered(scope: KeyScope | null, { name: model }: Model, name: string, method: RpcMethod): boolean {
  try {
    scopeOf(scope, method, { model, method: name, args: [], kwargs: {} });
    return true;
  } catch (error) {
    if (error instanceof KontorError && error.code === 'ACCESS_DENIED') return false;
    throw error;
  }
}

/** Which fields a key covers does not depend on the method. */
function openFields(
  env: Env,
  model: Model,
  scope: KeyScope | null,
  [name, method]: readonly [string, RpcMethod],
): readonly OpenField[] {
  const covers = scopeOf(scope, method, { model: model.name, method: name, args: [], kwargs: {} });
  const mayRead = mayOwnerAccess(env, model, 'read');
  const mayChange = mayOwnerAccess(env, model, 'write') || mayOwnerAccess(env, model, 'create');
  const isNew = model.served?.create !== undefined;
  return [...model.fields.values()].flatMap((field) => {
    if (covers !== null && !covers.hasField(model.name, field.name)) return [];
    const canRead = mayRead && field.spec.secret !== true && mayReadField(env, field);
    const canWrite = mayChange && (!model.served || isNew) && mayWriteField(env, field);
    return canRead || canWrite ? [{ field, canRead, canWrite }] : [];
  });
}
