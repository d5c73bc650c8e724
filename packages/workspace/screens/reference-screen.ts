import type { Kernel } from '@kontor/kernel';
import { type Action, type Env, type Field, type Model, mayAccessModel, mayReadField, wholeOf } from '@kontor/orm';
import {
  KontorError,
  type Operation,
  type ReferenceAction,
  type ReferenceEntry,
  type ReferenceField,
  type ReferenceModel,
  type ReferenceRule,
  type ReferenceScreenData,
  serializeDomain,
} from '@kontor/protocol';
import type { WorkspaceCaller } from '../build-workspace.ts';
import { rpcExamplesOf } from './reference-examples.ts';

const operations: readonly Operation[] = ['read', 'write', 'create', 'unlink'];

/**
 * Every model that the user may read, and all details of the requested one: fields, actions, rights, rules and sample
 * calls.
 */
export async function referenceScreen(
  kernel: Kernel,
  { actor }: WorkspaceCaller,
  name: string,
): Promise<ReferenceScreenData> {
  return kernel.read(actor, async (env) => {
    const appOf = (module: string) => kernel.catalogue.get(module)?.manifest.label ?? module;
    const say = kernel.wordsIn(actor.lang);
    const models = [...env.registry.models.values()].filter((model) => mayAccessModel(env, model, 'read'));
    const entries = models.map((model) => entryOf(env, model, say(appOf(model.module), model.module)));
    if (name === '') return { models: entries, model: null };
    const asked = models.find((model) => model.name === name);
    // Users who may not read a model do not learn whether it exists.
    if (!asked)
      throw new KontorError('MODEL_NOT_FOUND', `There is no model ${name.slice(0, 80)}.`, { model: name.slice(0, 80) });
    return { models: entries, model: modelOf(env, asked, say(appOf(asked.module), asked.module)) };
  });
}

function readable(env: Env, model: Model): readonly Field[] {
  return [...model.fields.values()].filter((field) => mayReadField(env, field));
}

function entryOf(env: Env, model: Model, app: string): ReferenceEntry {
  const words = readable(env, model).flatMap((field) => [field.name, field.label]);
  return { name: model.name, label: model.label, app, words: words.join(' ') };
}

function modelOf(env: Env, model: Model, app: string): ReferenceModel {
  const fields = readable(env, model);
  const actions = [...model.actions.values()].filter((action) => mayRun(env, model, action));
  const rights = Object.fromEntries(operations.map((each) => [each, mayAccessModel(env, model, each)]));
  return {
    name: model.name,
    label: model.label,
    app,
    fields: fields.map((field) => fieldOf(env, field)),
    actions: model.served ? [] : actions.map(actionOf),
    rights: rights as ReferenceModel['rights'],
    rules: rulesOf(env, model),
    examples: rpcExamplesOf(env, model, fields),
  };
}

function fieldOf(env: Env, field: Field): ReferenceField {
  const { spec, name, label, required, isReadonly, isStored } = field;
  const related = spec.relation === undefined ? undefined : env.registry.models.get(spec.relation);
  const isOpen = related !== undefined && mayAccessModel(env, related, 'read');
  return {
    ...{ name, label, type: spec.type, help: spec.help ?? '', isRequired: required, isReadonly, isStored },
    relation: related ? { model: related.name, label: related.label, isOpen } : null,
    choices: [...(field.selection ?? [])],
  };
}

function mayRun(env: Env, model: Model, { needs, groups }: Action): boolean {
  if (!mayAccessModel(env, model, needs)) return false;
  return groups === null || groups.some((group) => env.actor.groups.has(group));
}

function actionOf(action: Action): ReferenceAction {
  const labels = action.kind === 'move' ? action.moves.map(({ label }) => label) : [action.label ?? ''];
  return {
    name: action.name,
    labels: [...new Set(labels)].filter((label) => label !== ''),
    isMove: action.kind === 'move',
    asks: [...action.asks.values()].map(({ name, label, spec, required }) => ({
      ...{ name, label, type: spec.type, isRequired: required },
    })),
  };
}

/** The rules that apply to this user, as in `ruleNode`. Their domains are shown to users who may read rules. */
function rulesOf(env: Env, model: Model): readonly ReferenceRule[] {
  const ruleModel = env.registry.models.get('sys.rule');
  const seesRules = ruleModel !== undefined && mayAccessModel(env, ruleModel, 'read');
  const own = (env.policy.rules.get(model.name) ?? []).filter(
    ({ groups }) => groups.length === 0 || groups.some((group) => env.actor.groups.has(group)),
  );
  const rules: ReferenceRule[] = own.map(({ name, groups, domain, operations: bound }) => ({
    kind: 'rule',
    name,
    isForAll: groups.length === 0,
    operations: operations.filter((each) => bound.has(each)),
    domain: seesRules ? JSON.stringify(serializeDomain(domain)) : null,
  }));
  if (model.hasCompany && model.companyRule !== false) rules.push({ kind: 'company' });
  if (model.isTransient) rules.push({ kind: 'own' });
  const whole = wholeOf(env, model, 'read');
  if (whole) rules.push({ kind: 'part', model: whole.model.name, label: whole.model.label });
  return rules;
}
