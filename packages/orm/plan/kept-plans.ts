import { type LruCache, lruCache } from '@kontor/protocol';
import { rightsNumber } from '../access/rights-number.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { Concern } from './concern.ts';
import { makePlan, type WritePlan } from './make-plan.ts';
import type { WriteRun } from './write-run.ts';

/** New rights make a new number, new modules a new registry: nothing is forgotten by hand. */
const plans = new WeakMap<Registry, LruCache<string, WritePlan>>();
const maxPlans = 4_000;

/** The plan for the fields that the rows of a write name by now. */
export function planOf(concerns: readonly Concern[], run: WriteRun): WritePlan {
  const { env, model, purpose, called, rows } = run;
  const values = new Set(rows.map((row) => row.values));
  const sets = [...values].map((each) => Object.keys(each).filter((name) => each[name] !== undefined));
  const names = sets.length === 1 ? (sets[0] as string[]) : [...new Set(sets.flat())];
  const base = [...new Set(rows.flatMap((row) => (row.base ? Object.keys(row.base) : [])))];
  const shared = sets.length === 1 ? names : names.filter((name) => sets.every((set) => set.includes(name)));
  const always = shared.length === names.length ? '' : shared.join();
  const key = `${rightsOf(env)} ${model.name} ${purpose} ${called !== undefined} ${names.length} ${names.join()} ${base.join()} ${always}`;
  const known = keptFor(env.registry);
  let plan = known.get(key);
  if (!plan) {
    const [given, all] = [fieldsOf(model, names), fieldsOf(model, shared)];
    const isCalled = called !== undefined;
    const write = {
      env,
      model,
      operation: 'write',
      purpose,
      isCalled,
      given,
      always: all,
      base: new Set(base),
    } as const;
    plan = makePlan(concerns, write);
    known.set(key, plan);
  }
  return plan;
}

/** Server code has the same rights whoever it serves. */
function rightsOf(env: Env): string {
  return env.isSudo ? `server ${env.isOutside}` : `${rightsNumber(env)} ${env.isOutside} ${env.scope?.key ?? ''}`;
}

function keptFor(registry: Registry): LruCache<string, WritePlan> {
  let known = plans.get(registry);
  if (!known) {
    known = lruCache(maxPlans);
    plans.set(registry, known);
  }
  return known;
}

function fieldsOf({ fields }: Model, names: readonly string[]): ReadonlySet<Field> {
  return new Set(names.flatMap((name) => fields.get(name) ?? []));
}
