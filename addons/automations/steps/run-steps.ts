import { randomUUID } from 'node:crypto';
import { addMessage, answersTo, threadDetails } from '@addons/mail';
import {
  addDays,
  anyModel,
  checkRight,
  composeMail,
  dateIn,
  type Env,
  fieldAtPath,
  formulaFor,
  isMailAddress,
  queueMail,
  text,
  toParagraphs,
  wakeQueue,
} from '@kontor/addon';
import { personFor } from './people.ts';
import { type Step, StepError, type StepValue } from './step.ts';
import { fillTexts, pathsIn } from './texts.ts';

/** What a step did, without any value: the log shows it to people who may not see the record. */
export interface Done {
  readonly do: Step['do'];
  /** Names of fields that were set. */
  readonly fields?: readonly string[];
  readonly model?: string;
  readonly action?: string;
  /** The record that was created. */
  readonly id?: number;
}

/** Where the steps run: with the rights of the author, in the company of the records. */
export interface Place {
  readonly env: Env;
  /** For what nobody may write: messages, mails, deliveries, turns. */
  readonly server: Env;
  readonly ruleId: number;
  readonly model: string;
  readonly tz: string;
  readonly lang: string;
}

/** The number of the step that failed, and why. */
export class StepFailure extends Error {
  readonly step: number;

  constructor(step: number, cause: unknown) {
    super('A step failed.', { cause });
    this.step = step;
  }
}

/** Runs the steps in order for records that have the same company. */
export async function runSteps(place: Place, steps: readonly Step[], ids: readonly number[]): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      done.push(await runStep(place, step, index + 1, ids));
    } catch (error) {
      throw new StepFailure(index + 1, error);
    }
  }
  return done;
}

async function runStep(place: Place, step: Step, number: number, ids: readonly number[]): Promise<Done> {
  switch (step.do) {
    case 'set':
      await setValues(place, step.values, ids);
      return { do: 'set', fields: Object.keys(step.values) };
    case 'create': {
      const rows = await valuesFor(place, step.model, step.values, ids);
      const created = await anyModel(place.env, step.model).createMany(ids.map((id) => rows.get(id) ?? {}));
      return { do: 'create', model: step.model, ...(created.length === 1 ? { id: created[0] as number } : {}) };
    }
    case 'assign':
      for (const id of ids) {
        const person = await personFor(place, step.who, { ...place, id, step: number });
        await anyModel(place.env, place.model).write([id], { [step.field]: person });
      }
      return { do: 'assign', fields: [step.field] };
    case 'activity':
      for (const id of ids) await plan(place, step, number, id);
      return { do: 'activity' };
    case 'note':
      for (const id of ids) await postNote(place, step.text, id);
      return { do: 'note' };
    case 'mail':
      for (const id of ids) await sendMail(place, step, id);
      return { do: 'mail' };
    case 'webhook':
      await callWebhook(place, step.webhook, ids);
      return { do: 'webhook' };
    case 'run':
      await anyModel(place.env, place.model).call(ids, step.action);
      return { do: 'run', action: step.action };
  }
}

async function setValues(
  place: Place,
  values: Readonly<Record<string, StepValue>>,
  ids: readonly number[],
): Promise<void> {
  const records = anyModel(place.env, place.model);
  const isSame = Object.values(values).every((value) => !('formula' in value) && !('from' in value));
  const rows = await valuesFor(place, place.model, values, isSame ? ids.slice(0, 1) : ids);
  if (isSame) await records.write(ids, rows.get(ids[0] as number) ?? {});
  else await records.writeEach(ids.map((id) => ({ id, values: rows.get(id) ?? {} })));
}

/** The values for each record. */
async function valuesFor(
  { env, model, tz }: Place,
  target: string,
  values: Readonly<Record<string, StepValue>>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Record<string, unknown>>> {
  const rows = new Map(ids.map((id) => [id, {} as Record<string, unknown>]));
  const put = (name: string, valueFor: (id: number) => unknown) => {
    for (const [id, row] of rows) row[name] = valueFor(id);
  };
  const paths = Object.values(values).flatMap((value) => ('from' in value && value.from !== 'id' ? [value.from] : []));
  const read = paths.length === 0 ? [] : await anyModel(env, model).read(ids, paths);
  const known = new Map(read.map((row) => [row.id, row]));
  for (const [name, value] of Object.entries(values)) {
    const field = fieldAtPath(env.registry, target, name);
    if (!field) throw new StepError(text('{model} has no field {field}.', { model: target, field: name }));
    if ('value' in value) put(name, () => value.value);
    else if ('word' in value)
      put(name, () => (value.word === 'now' && field.kind.isInstant ? env.now.toISOString() : dateIn(tz, env.now)));
    else if ('from' in value) put(name, (id) => (value.from === 'id' ? id : (known.get(id)?.[value.from] ?? null)));
    else {
      const results = await formulaFor(env, model, value.formula, field.spec).values(env, ids, tz);
      put(name, (id) => results.get(id) ?? null);
    }
  }
  return rows;
}

async function plan(place: Place, step: Extract<Step, { do: 'activity' }>, number: number, id: number): Promise<void> {
  const { env, model, tz, lang } = place;
  const person = await personFor(place, step.who, { ...place, id, step: number });
  const [summary] = await fillTexts(env, { model, id, lang, tz }, [step.summary]);
  await env.model('mail.activity').create({
    ...{ type_id: step.type, user_id: person, model, res_id: id, due_date: addDays(dateIn(tz, env.now), step.days) },
    ...(summary ? { name: summary.slice(0, 200) } : {}),
  });
}

async function postNote({ env, server, model, lang, tz }: Place, note: string, id: number): Promise<void> {
  const [said = ''] = await fillTexts(env, { model, id, lang, tz }, [note]);
  await checkRight(env, model, [id], 'write');
  await addMessage(server, await threadDetails(env, { model, id }), 'comment', toParagraphs(said));
}

async function sendMail(place: Place, step: Extract<Step, { do: 'mail' }>, id: number): Promise<void> {
  const { env, model, tz } = place;
  const [path] = pathsIn(step.to);
  const [to = ''] = path ? await valuesAt(env, model, id, [path]) : [step.to];
  if (!isMailAddress(to)) throw new StepError(text('There is no e-mail address to send it to.'));
  const langPath = path && [...path.split('.').slice(0, -1), 'lang'].join('.');
  const [found = ''] =
    langPath && fieldAtPath(env.registry, model, langPath) ? await valuesAt(env, model, id, [langPath]) : [];
  const lang = found || place.lang;
  const [subject = '', body = ''] = await fillTexts(env, { model, id, lang, tz }, [step.subject, step.body]);
  const mail = composeMail({ to, lang, subject, paragraphs: body.split(/\n{2,}/) });
  const answers = await answersTo(env, await threadDetails(env, { model, id }));
  if (!(await queueMail(env, { ...mail, ...answers }))) throw new StepError(text('Mail is not set up.'));
}

async function valuesAt(env: Env, model: string, id: number, paths: readonly string[]): Promise<readonly string[]> {
  const [row] = await anyModel(env, model).read([id], paths);
  return paths.map((path) => String(row?.[path] ?? ''));
}

/** A delivery of the webhook, which signs, retries and sends what its owner may read. */
async function callWebhook({ env, server, model }: Place, webhook: number, ids: readonly number[]): Promise<void> {
  await checkRight(env, 'webhook.subscription', [webhook], 'read');
  const [row] = await server.model('webhook.subscription').read([webhook], ['url', 'state']);
  if (!row || row.state === 'off') throw new StepError(text('The webhook is switched off.'));
  const host = URL.canParse(row.url) ? new URL(row.url).host : null;
  const at = env.now.toISOString();
  await server.model('webhook.delivery').createMany(
    ids.map((id) => ({
      ...{ subscription_id: webhook, key: `msg_${randomUUID().replaceAll('-', '')}`, event: 'write' as const, model },
      ...{ res_id: id, changed: [], happened_at: at, next_try: at, host },
    })),
  );
  wakeQueue(server, 'webhook.delivery');
}
