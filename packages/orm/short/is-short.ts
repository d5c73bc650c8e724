import { mayAccessModel } from '../access/model-access.ts';
import { keepsRules, ruleReads } from '../domain/rule-reads.ts';
import { followersOf } from '../drafts/editable-values.ts';
import { checkFieldAccess } from '../given/check-names.ts';
import { lockedLists } from '../graph/locked-lists.ts';
import { movesAlong, stateFields } from '../graph/state-fields.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { isWatching } from '../model/watching-hooks.ts';
import { companyField } from '../operation/record-change.ts';
import { reachesAny } from '../settle/mark-stale.ts';

/** The fields of those names, if the caller may set all of them and each is one value in a column that is not secret. */
export function plainFields(env: Env, model: Model, names: readonly string[]): readonly Field[] | null {
  try {
    checkFieldAccess(env, model, names);
  } catch {
    return null;
  }
  const fields = names.map((name) => model.fields.get(name) as Field);
  return fields.every(isPlain) ? fields : null;
}

/** One value in a column of its own that may be kept in the history as it is. */
export function isPlain({ kind, spec, column }: Field): boolean {
  return column !== null && !kind.isList && !kind.isFile && spec.secret !== true;
}

/** Whether nothing but the record itself and its rules must be looked at to write these fields. */
export function isShortWrite(env: Env, model: Model, fields: readonly Field[]): boolean {
  const names = fields.map((field) => field.name);
  const written = new Set(fields);
  const state = stateFields(model)?.state;
  return (
    isShortModel(env, model, 'write') &&
    keepsRules(env, model, new Set(names)) &&
    !model.hooks.some((hook) => (hook.beforeWrite || hook.afterWrite) && isWatching(hook, names)) &&
    fields.every((field) => field.kind.jsonSql !== undefined && isShortLink(model, field)) &&
    !movesAlong(model, written) &&
    !(state && written.has(state)) &&
    followersOf(env, model, names).every((field) => written.has(field)) &&
    !reachesAny(env.registry, model, names, false) &&
    ![...model.constraints, ...model.acyclic].some(({ on }) => on.some((name) => names.includes(name)))
  );
}

/** Whether nothing but the values, their links and the rules must be looked at to make a record with these columns. */
export function isShortCreate(env: Env, model: Model, columns: readonly Field[]): boolean {
  const relations = columns.filter(({ kind }) => kind.isToOne).map(({ name }) => name);
  return (
    isShortModel(env, model, 'create') &&
    ruleReads(env, model, 'create')?.isFinal !== false &&
    !model.hooks.some((hook) => hook.beforeCreate || hook.afterCreate) &&
    (model.states?.stages ?? null) === null &&
    env.registry.editableComputes(model.name).length === 0 &&
    env.registry.storedComputes(model.name).length === 0 &&
    model.constraints.length === 0 &&
    !model.acyclic.some(({ on }) => on.filter((name) => relations.includes(name)).length > 1) &&
    !reachesAny(env.registry, model, relations, true)
  );
}

/** Changes of quiet models are not kept; lines that their owners lock need the owners. */
function isShortModel(env: Env, model: Model, operation: 'create' | 'write'): boolean {
  return (
    !model.quiet &&
    !model.served &&
    mayAccessModel(env, model, operation) &&
    lockedLists(env.registry, model).length === 0
  );
}

/** A record that moves to another company takes its relations along; one that may point at itself is judged when it does. */
function isShortLink(model: Model, field: Field): boolean {
  return !field.kind.isToOne || (field !== companyField(model) && field.spec.relation !== model.name);
}
