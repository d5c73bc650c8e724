import { type LruCache, lruCache } from '@kontor/protocol';
import { rightsNumber } from '../access/rights-number.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import type { Concern } from './concern.ts';
import { makePlan, type WritePlan } from './make-plan.ts';
import type { WriteRun } from './write-run.ts';

/** New rights create a new number, new modules a new registry: nothing is invalidated by hand. */
const plans = new WeakMap<Registry, LruCache<string, WritePlan>>();
const maxPlans = 4_000;

/** The plan for a write of these values. Unknown names are rejected by a step. */
export function planOf(concerns: readonly Concern[], run: WriteRun, values: readonly Values[]): WritePlan {
  const { env, model, operation, purpose, called, isCascade, rows } = run;
  const { names, shared } = namesIn(model, values);
  const base = new Set<string>();
  for (const row of rows) if (row.base) for (const name of Object.keys(row.base)) base.add(name);
  const always = shared.length === names.length ? '' : shared.join();
  const isCalled = called !== undefined;
  const kind = `${operation} ${purpose} ${isCalled} ${isCascade}`;
  const key = `${rightsOf(env)} ${model.name} ${kind} ${names.join()} ${base.size} ${[...base].join()} ${always}`;
  const known = keptFor(env.registry);
  let plan = known.get(key);
  if (!plan) {
    const [given, all] = [fieldsOf(model, names), fieldsOf(model, shared)];
    const write = { env, model, operation, purpose, isCalled, isCascade, given, always: all, base } as const;
    plan = makePlan(concerns, write);
    known.set(key, plan);
  }
  return plan;
}

/** Fields that some of the values set, and those that all of them set. */
function namesIn(
  { fields }: Model,
  values: readonly Values[],
): { names: readonly string[]; shared: readonly string[] } {
  const counts = new Map<string, number>();
  // Invalid values are rejected by a step.
  const distinct = Array.isArray(values) ? new Set<Values>(values) : [];
  let size = 0;
  for (const each of distinct) {
    size++;
    for (const name of Object.keys(each ?? {})) {
      if (each[name] !== undefined && fields.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const names = [...counts.keys()];
  return { names, shared: size === 1 ? names : names.filter((name) => counts.get(name) === size) };
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
