import { anyModel, type Env, fieldAtPath } from '@kontor/addon';

type Json = Readonly<Record<string, unknown>>;
/** What stands for a record in another database, or here; null: nothing does. */
type Change = (model: string, id: unknown) => Promise<unknown>;

const externalId = /^[a-z][a-z0-9_]*\.[a-zA-Z0-9_.-]+$/;

/** A record is named that has no external id. */
export class NoExternalId extends Error {}

/**
 * Steps from a data file, where external ids stand for people, types of activities, webhooks and linked records. As the server: it is
 * asked for names alone, and what the caller may not see stays a name.
 */
export async function withIds(env: Env, model: string, steps: unknown): Promise<unknown> {
  const server = env.sudo();
  return changed(env, { model, steps }, async (of, given) => {
    if (typeof given !== 'string' || !externalId.test(given)) return given;
    const [module = '', ...rest] = given.split('.');
    const [row] = await server.model('sys.model.data').searchRead(
      [
        ['module', '=', module],
        ['name', '=', rest.join('.')],
        ['model', '=', of],
      ],
      ['res_id'],
    );
    const [seen] = row ? await anyModel(env, of).search([['id', '=', row.res_id]], { limit: 1 }) : [];
    return seen ?? given;
  });
}

/** The same steps for another database, and the modules that own what they name. Throws if a record is known here only. */
export async function withExternalIds(
  env: Env,
  model: string,
  steps: unknown,
): Promise<{ readonly steps: unknown; readonly modules: readonly string[] }> {
  const modules = new Set<string>();
  const server = env.sudo();
  const found = await changed(env, { model, steps }, async (of, given) => {
    if (typeof given !== 'number') return given;
    const [row] = await server.model('sys.model.data').searchRead(
      [
        ['model', '=', of],
        ['res_id', '=', given],
      ],
      ['module', 'name'],
      { limit: 1 },
    );
    if (!row) throw new NoExternalId();
    modules.add(String(row.module));
    return `${row.module}.${row.name}`;
  });
  return { steps: found, modules: [...modules] };
}

async function changed(
  env: Env,
  { model, steps }: { readonly model: string; readonly steps: unknown },
  change: Change,
): Promise<unknown> {
  if (!Array.isArray(steps)) return steps;
  const next: unknown[] = [];
  for (const step of steps) next.push(isObject(step) ? await changedStep(env, model, step, change) : step);
  return next;
}

async function changedStep(env: Env, model: string, step: Json, change: Change): Promise<Json> {
  const who = isObject(step.who) ? { who: await changedWho(step.who, change) } : {};
  if (step.do === 'activity') return { ...step, ...who, type: await change('mail.activity.type', step.type) };
  if (step.do === 'assign') return { ...step, ...who };
  if (step.do === 'webhook') return { ...step, webhook: await change('webhook.subscription', step.webhook) };
  if ((step.do !== 'set' && step.do !== 'create') || !isObject(step.values)) return step;
  const target = step.do === 'create' ? String(step.model) : model;
  const values: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(step.values)) {
    const relation = fieldAtPath(env.registry, target, name)?.spec.relation;
    values[name] =
      relation && isObject(value) && 'value' in value
        ? { ...value, value: await change(relation, value.value) }
        : value;
  }
  return { ...step, values };
}

async function changedWho(who: Json, change: Change): Promise<Json> {
  if ('user' in who) return { ...who, user: await change('core.user', who.user) };
  if (!Array.isArray(who.turn)) return who;
  const turn: unknown[] = [];
  for (const id of who.turn) turn.push(await change('core.user', id));
  return { ...who, turn };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
