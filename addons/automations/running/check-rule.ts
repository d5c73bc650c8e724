import {
  type Env,
  fieldAtPath,
  fieldRefusal,
  formulaFor,
  KontorError,
  modelRefusal,
  type Text,
  text,
  ValidationError,
} from '@kontor/addon';
import { canAutomate, checkConditions, checkSteps } from '../steps/check-steps.ts';
import type { Step } from '../steps/step.ts';
import { pathsIn } from '../steps/texts.ts';
import { actingFor, asOutside, type Rule, readRules } from './rule.ts';
import { wrongWhen } from './when.ts';

/**
 * An automation that cannot run, or that does what its author may not do, is rejected when it is written. Its author is the caller, so
 * the caller's rights decide.
 */
export async function checkRules(env: Env, ids: readonly number[]): Promise<void> {
  const server = env.sudo();
  for (const rule of await readRules(server, ids)) {
    // Its author is the caller, as a rule: a data file of an addon has none, and is as trusted as its code.
    const author =
      rule.author_id !== null && env.uid === rule.author_id ? asOutside(env) : await actingFor(server, rule);
    if (!author) throw new ValidationError({ author_id: ['This person cannot sign in.'] });
    await checkRule(author, rule);
    await server.model('automation.rule').write([rule.id], { uses: [...usedFields(author, rule)].sort() });
  }
}

/** Throws a ValidationError if the author may not have this automation, or if it cannot run. */
export async function checkRule(author: Env, rule: Rule): Promise<void> {
  const { model, when } = rule;
  if (!canAutomate(author, model))
    throw new ValidationError({ model: [text('There are no automations for these records.')] });
  refuse('model', modelRefusal(author, model, 'read'));
  await refuseAt('domain', () => checkConditions(author, model, rule.domain));
  if (when.trigger === 'change' && when.field !== null) refuse('when', fieldRefusal(author, model, when.field, 'read'));
  if (when.trigger === 'date') checkDate(author, rule);
  if (when.trigger === 'hook') checkHook(author, rule);
  if (rule.together && when.trigger !== 'create' && when.trigger !== 'change') {
    const problem = text('Only what happens when a record is created or changed belongs to the change.');
    throw new ValidationError({ together: [problem] });
  }
  if (rule.steps.length === 0 && rule.state === 'on') throw new ValidationError({ steps: ['Add at least one step.'] });
  await checkSteps(author, model, rule.steps);
}

function checkDate(author: Env, { model, when: { field } }: Rule): void {
  if (field === null) throw wrongWhen(text('Choose a date.'));
  refuse('when', fieldRefusal(author, model, field, 'read'));
  const known = fieldAtPath(author.registry, model, field);
  if (!known?.isStored || !known.kind.isDate) throw wrongWhen(text('Choose a date.'));
}

function checkHook(author: Env, { model, when: { match, fields } }: Rule): void {
  refuse('model', modelRefusal(author, model, 'create'));
  if (match !== null) {
    refuse('model', modelRefusal(author, model, 'write'));
    refuse('when', fieldRefusal(author, model, match, 'read'));
  }
  if (fields.size === 0) throw wrongWhen(text('Say where the value of at least one field is in the message.'));
  for (const name of fields.keys()) refuse('when', fieldRefusal(author, model, name, 'write'));
  if (match !== null && !fields.has(match))
    throw wrongWhen(text('The record is found by one of the fields of the message.'));
}

/** The fields of its model that it reads or sets, so that whoever deletes one learns of it. */
function usedFields(env: Env, { model, when, steps }: Rule): ReadonlySet<string> {
  const used = new Set([when.field, when.match].filter((name) => name !== null));
  for (const name of when.fields.keys()) used.add(name);
  const add = (path: string) => used.add(path.split('.')[0] as string);
  for (const step of steps) {
    for (const path of stepReads(env, model, step)) add(path);
    if (step.do === 'set') for (const name of Object.keys(step.values)) add(name);
    if (step.do === 'assign') add(step.field);
  }
  return used;
}

function stepReads(env: Env, model: string, step: Step): readonly string[] {
  if (step.do === 'set' || step.do === 'create') {
    const target = step.do === 'set' ? model : step.model;
    return Object.entries(step.values).flatMap(([name, value]) => {
      if ('from' in value) return value.from === 'id' ? [] : [value.from];
      const spec = fieldAtPath(env.registry, target, name)?.spec;
      return 'formula' in value && spec ? formulaFor(env, model, value.formula, spec).reads : [];
    });
  }
  if (step.do === 'note') return pathsIn(step.text);
  if (step.do === 'mail') return [step.to, step.subject, step.body].flatMap(pathsIn);
  if (step.do !== 'assign' && step.do !== 'activity') return [];
  const own = step.do === 'activity' ? pathsIn(step.summary) : [];
  return 'path' in step.who ? [...own, step.who.path] : 'team' in step.who ? [...own, step.who.team] : own;
}

function refuse(field: string, problem: Text | null): void {
  if (problem) throw new ValidationError({ [field]: [problem] });
}

async function refuseAt(field: string, check: () => Promise<void>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (error instanceof KontorError) throw new ValidationError({ [field]: [error.message] });
    throw error;
  }
}
