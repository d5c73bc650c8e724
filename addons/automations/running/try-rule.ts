import {
  anyModel,
  type Env,
  fieldRefusal,
  inSavepoint,
  KontorError,
  type RouteAnswer,
  type RouteRequest,
} from '@kontor/addon';
import { stepFields } from '../steps/step-fields.ts';
import { asOutside, type Rule, readRules, serverIn } from './rule.ts';
import { explain, RightsLost, runFor } from './run-rule.ts';

const mostTried = 20;

interface Tried {
  readonly id: number;
  readonly name: string;
  readonly outcome: 'run' | 'skipped' | 'fails';
  /** The condition that does not hold. */
  readonly unmet?: unknown;
  readonly step?: number | null;
  readonly reason?: string;
  /** New values of the record that the caller may see. */
  readonly changes?: Readonly<Record<string, readonly [old: unknown, now: unknown]>>;
}

/** Takes everything back. */
class TakenBack extends Error {
  readonly tried: Tried;

  constructor(tried: Tried) {
    super('Everything was taken back.');
    this.tried = tried;
  }
}

/**
 * What the automation would do to the newest records that the caller may read. All of it happens and is taken back; nothing leaves the
 * house, because mails and messages are rows that are taken back too.
 */
export async function tryRule({ env, params }: RouteRequest): Promise<RouteAnswer> {
  const id = Number(params.rule);
  const outside = asOutside(env);
  await outside.model('automation.rule').read([id], ['name']);
  const server = serverIn(env, null);
  const [rule] = await readRules(server, [id]);
  if (!rule) throw new KontorError('NOT_FOUND');
  const records = anyModel(outside, rule.model);
  const matching = await records.count(rule.domain as never);
  const found = await records.search(rule.domain as never, { order: '-id', limit: mostTried });
  const others = await records.search([['id', 'not in', found]], {
    order: '-id',
    limit: Math.min(5, mostTried - found.length),
  });
  const rows = await records.read([...found, ...others], ['display_name']);
  const tried: Tried[] = [];
  for (const { id: record, display_name: name } of rows) {
    const about = { id: record, name: String(name) };
    if (found.includes(record)) tried.push(await tryRecord({ env: server, caller: outside, rule }, about));
    else tried.push({ ...about, outcome: 'skipped', unmet: await unmetCondition(outside, rule, record) });
  }
  return { body: { matching, tried } };
}

interface Trial {
  readonly env: Env;
  readonly caller: Env;
  readonly rule: Rule;
}

async function tryRecord({ env, caller, rule }: Trial, about: Pick<Tried, 'id' | 'name'>): Promise<Tried> {
  const shown = stepFields(rule.steps).filter((name) => fieldRefusal(caller, rule.model, name, 'read') === null);
  // With the caller's rights: what they may not see is not shown, before or after.
  const before = await valuesOf(caller, rule.model, about.id, shown);
  try {
    return await inSavepoint(env, async (): Promise<Tried> => {
      await runFor(env, rule, [about.id]);
      const after = await valuesOf(caller, rule.model, about.id, shown);
      const changes = shown.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
      throw new TakenBack({
        ...{ ...about, outcome: 'run' },
        changes: Object.fromEntries(changes.map((name) => [name, [before[name] ?? null, after[name] ?? null]])),
      });
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.tried;
    if (error instanceof RightsLost) return { ...about, outcome: 'fails', step: null, reason: 'rights' };
    const { step, reason } = explain(error);
    // The reason can contain values of other records.
    const isOpen = caller.actor.groups.has('base.group_system');
    return { ...about, outcome: 'fails', step, ...(isOpen ? { reason } : {}) };
  }
}

async function valuesOf(env: Env, model: string, id: number, names: readonly string[]) {
  if (names.length === 0) return {};
  // It may have moved out of the caller's sight.
  const [row = {}] = await anyModel(env, model).searchRead(
    [['id', '=', id]],
    names.map((name) => shownPath(env, model, name)),
  );
  return Object.fromEntries(names.map((name) => [name, (row as Record<string, unknown>)[shownPath(env, model, name)]]));
}

/** A link is shown by its name. */
function shownPath(env: Env, model: string, name: string): string {
  const field = env.registry.model(model).fields.get(name);
  return field?.isStored && field.spec.relation ? `${name}.display_name` : name;
}

/** The first condition that does not hold; null if they cannot be told apart. */
async function unmetCondition(env: Env, { model, domain }: Rule, id: number): Promise<unknown> {
  if (domain.some((each) => each === '|' || each === '!')) return null;
  for (const condition of domain.filter((each) => each !== '&')) {
    if ((await anyModel(env, model).count([['id', '=', id], condition] as never)) === 0) return condition;
  }
  return null;
}
