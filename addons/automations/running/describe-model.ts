import { type Env, fieldRefusal, KontorError, modelRefusal, type RouteAnswer, type RouteRequest } from '@kontor/addon';
import { canAutomate } from '../steps/check-steps.ts';
import { asOutside } from './rule.ts';

/** What the editor offers for a model: what the caller may read, write, create and run by themselves. */
export async function describeModel({ env, query }: RouteRequest): Promise<RouteAnswer> {
  const outside = asOutside(env);
  const refused = modelRefusal(outside, 'automation.rule', 'read');
  if (refused) throw new KontorError('ACCESS_DENIED', refused);
  const name = typeof query.model === 'string' ? query.model : '';
  const models = [...env.registry.models.values()]
    .filter((model) => canAutomate(outside, model.name) && modelRefusal(outside, model.name, 'read') === null)
    .map((model) => ({
      ...{ name: model.name, label: model.label, hasChatter: model.chatter !== null },
      mayCreate: modelRefusal(outside, model.name, 'create') === null,
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
  if (!models.some((model) => model.name === name)) return { body: { models, fields: [], actions: [] } };
  return { body: { models, fields: fieldsOf(outside, name), actions: actionsOf(outside, name) } };
}

function fieldsOf(env: Env, name: string) {
  return [...env.registry.model(name).fields.values()]
    .filter((field) => fieldRefusal(env, name, field.name, 'read') === null)
    .map((field) => ({
      ...{ name: field.name, label: field.label, input: inputOf(field.kind), relation: field.spec.relation ?? null },
      isDate: field.kind.isDate && field.isStored,
      isPeople: field.spec.relation === 'core.user' && !field.kind.isToOne,
      choices: Object.entries(field.spec.selection ?? {}).map(([value, label]) => ({ value, label })),
      mayWrite: fieldRefusal(env, name, field.name, 'write') === null && (field.isStored || !field.kind.isLines),
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

interface Kind {
  readonly isBoolean: boolean;
  readonly isDate: boolean;
  readonly isInstant: boolean;
  readonly isNumber: boolean;
  readonly isExact: boolean;
  readonly isText: boolean;
}

/** How a value is entered: amounts keep their digits as text, other numbers are numbers. */
function inputOf({ isBoolean, isDate, isInstant, isNumber, isExact, isText }: Kind) {
  if (isBoolean) return 'truth';
  if (isDate) return isInstant ? 'moment' : 'day';
  if (isNumber) return isExact ? 'exact' : 'number';
  return isText ? 'text' : 'other';
}

function actionsOf(env: Env, name: string) {
  const mayRun = (groups: readonly string[] | null) =>
    groups === null || groups.some((each) => env.actor.groups.has(each));
  return [...env.registry.model(name).actions.values()]
    .filter(({ groups, asks }) => mayRun(groups) && ![...asks.values()].some(({ required }) => required))
    .map((action) => {
      const own = action.name.replace(/^action_/, '');
      return { name: own, label: (action.kind === 'move' ? action.moves[0]?.label : action.label) ?? own };
    })
    .sort((a, b) => a.label.localeCompare(b.label));
}
