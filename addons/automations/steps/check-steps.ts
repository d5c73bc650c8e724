import {
  anyModel,
  checkRight,
  type Env,
  fieldAtPath,
  fieldRefusal,
  formulaFor,
  KontorError,
  modelRefusal,
  type Text,
  text,
} from '@kontor/addon';
import { atStep, type Step, StepError, type StepValue, type Who, wrong } from './step.ts';
import { pathsIn } from './texts.ts';

/** Models of the system, and those whose changes would only be about automations themselves. */
export function canAutomate(env: Env, name: string): boolean {
  const model = env.registry.models.get(name);
  const isOwn = name.startsWith('sys.') || name.startsWith('automation.') || name.startsWith('webhook.');
  return model !== undefined && !isOwn && !model.isTransient && !model.served && !model.quiet;
}

/**
 * Throws with the first step that the actor of the env may not do by themselves, or that cannot run. The same check is made again
 * before each run, because rights are taken away.
 */
export async function checkSteps(author: Env, model: string, steps: readonly Step[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const problem = await problemOf(author, model, step);
    if (problem) throw wrong(atStep(index + 1, problem));
  }
}

async function problemOf(author: Env, model: string, step: Step): Promise<Text | null> {
  try {
    refuse(await refusalOf(author, model, step));
    return null;
  } catch (error) {
    if (error instanceof StepError) return error.problem;
    if (error instanceof KontorError) return text('{problem}', { problem: error.message });
    throw error;
  }
}

function refuse(problem: Text | null): void {
  if (problem) throw new StepError(problem);
}

async function refusalOf(author: Env, model: string, step: Step): Promise<Text | null> {
  switch (step.do) {
    case 'set':
      refuse(modelRefusal(author, model, 'write'));
      return valuesRefusal(author, model, model, step.values);
    case 'create': {
      if (!canAutomate(author, step.model)) return text('Automations cannot create these records.');
      refuse(modelRefusal(author, step.model, 'create'));
      refuse(valuesRefusal(author, model, step.model, step.values));
      return missingRefusal(author, step.model, step.values);
    }
    case 'assign': {
      refuse(modelRefusal(author, model, 'write'));
      refuse(fieldRefusal(author, model, step.field, 'write'));
      if (fieldAtPath(author.registry, model, step.field)?.spec.relation !== 'core.user')
        return text('Choose a field with a person.');
      return whoRefusal(author, model, step.who);
    }
    case 'activity':
      refuse(modelRefusal(author, 'mail.activity', 'create'));
      refuse(chatterRefusal(author, model));
      refuse(textRefusal(author, model, [step.summary]));
      await checkRight(author, 'mail.activity.type', [step.type], 'read');
      return whoRefusal(author, model, step.who);
    case 'note':
      refuse(modelRefusal(author, model, 'write'));
      refuse(chatterRefusal(author, model));
      return textRefusal(author, model, [step.text]);
    case 'mail':
      refuse(modelRefusal(author, model, 'read'));
      refuse(addressRefusal(author, model, step.to));
      return textRefusal(author, model, [step.subject, step.body]);
    case 'webhook':
      return webhookRefusal(author, model, step.webhook);
    case 'run':
      return actionRefusal(author, model, step.action);
  }
}

/** Values that the author may write, from what the author may read. */
function valuesRefusal(
  author: Env,
  from: string,
  to: string,
  values: Readonly<Record<string, StepValue>>,
): Text | null {
  for (const [name, value] of Object.entries(values)) {
    refuse(fieldRefusal(author, to, name, 'write'));
    refuse(valueRefusal(author, from, to, name, value));
  }
  return null;
}

function valueRefusal(author: Env, from: string, to: string, name: string, value: StepValue): Text | null {
  const field = fieldAtPath(author.registry, to, name);
  if (!field) return null;
  if ('from' in value) {
    refuse(fieldRefusal(author, from, value.from, 'read'));
    const source = fieldAtPath(author.registry, from, value.from);
    const target = value.from === 'id' ? from : source?.spec.relation;
    return field.spec.relation === target && (target !== undefined || field.kind === source?.kind)
      ? null
      : text('{from} does not fit into {field}.', { from: source?.label ?? value.from, field: field.label });
  }
  if ('formula' in value) {
    const { reads } = formulaFor(author, from, value.formula, field.spec);
    for (const path of reads) refuse(fieldRefusal(author, from, path, 'read'));
    return null;
  }
  if ('word' in value) return null;
  if (value.value === null) return field.required ? text('{field} is required.', { field: field.label }) : null;
  try {
    field.kind.cast(value.value, field);
    return null;
  } catch (error) {
    if (error instanceof Error) return text('{field}: {problem}', { field: field.label, problem: error.message });
    throw error;
  }
}

function missingRefusal(author: Env, name: string, values: Readonly<Record<string, StepValue>>): Text | null {
  const fields = [...author.registry.model(name).fields.values()];
  const filled = author.registry.model(name).states?.stages?.field;
  const missing = fields.find(
    ({ name: field, required, spec, isReadonly, editableCompute, isStored }) =>
      required &&
      field !== filled &&
      isStored &&
      !isReadonly &&
      spec.default === undefined &&
      !editableCompute &&
      !spec.from &&
      !(field in values),
  );
  return missing ? text('{field} is required.', { field: missing.label }) : null;
}

function textRefusal(author: Env, model: string, texts: readonly string[]): Text | null {
  for (const path of texts.flatMap(pathsIn)) refuse(fieldRefusal(author, model, path, 'read'));
  return null;
}

function whoRefusal(author: Env, model: string, who: Who): Text | null {
  if ('user' in who || 'turn' in who) return null;
  const path = 'path' in who ? who.path : who.team;
  refuse(fieldRefusal(author, model, path, 'read'));
  return fieldAtPath(author.registry, model, path)?.spec.relation === 'core.user'
    ? null
    : text('Choose a field with a person.');
}

function addressRefusal(author: Env, model: string, to: string): Text | null {
  const [path, ...others] = pathsIn(to);
  if (path === undefined) return to.includes('@') ? null : text('Choose a field with an e-mail address.');
  if (others.length > 0 || to !== `{${path}}`) return text('Choose a field with an e-mail address.');
  return fieldRefusal(author, model, path, 'read');
}

function chatterRefusal(author: Env, name: string): Text | null {
  const model = author.registry.model(name);
  return model.chatter === null ? text('{model} has no chatter.', { model: model.label }) : null;
}

async function webhookRefusal(author: Env, model: string, id: number): Promise<Text | null> {
  await checkRight(author, 'webhook.subscription', [id], 'read');
  const [webhook] = await author.model('webhook.subscription').read([id], ['model', 'on_call']);
  if (webhook?.model !== model) return text('This webhook reports other records.');
  return webhook.on_call ? null : text('Switch on "When an automation says so" at this webhook.');
}

function actionRefusal(author: Env, name: string, wanted: string): Text | null {
  const action = author.registry.model(name).actions.get(`action_${wanted}`);
  if (!action) return text('There is no action "{name}".', { name: wanted });
  const { groups, needs } = action;
  refuse(modelRefusal(author, name, needs === 'read' ? 'read' : 'write'));
  if (groups !== null && !groups.some((group) => author.actor.groups.has(group)))
    return text('You may not run {action}.', { action: wanted });
  const asked = [...action.asks.values()].find(({ required, spec }) => required && spec.default === undefined);
  return asked
    ? text('{action} asks for {field}, so people must run it.', { action: wanted, field: asked.label })
    : null;
}

/** Whether the author may search by the conditions. Throws if not. */
export async function checkConditions(author: Env, model: string, domain: readonly unknown[]): Promise<void> {
  await anyModel(author, model).search(domain as never, { limit: 1 });
}
