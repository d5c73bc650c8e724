import { valueAtEnd } from '../assemble/sourced-fields.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { Concern } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';

/** A field that keeps following the end of its path, seen from a step of the path. */
interface Follower {
  readonly model: Model;
  readonly field: Field;
  /** From a record of the model to the changed one. */
  readonly way: readonly string[];
  /** From the changed field to the end of the path. */
  readonly rest: readonly string[];
}

const byRegistry = new WeakMap<Registry, ReadonlyMap<string, readonly Follower[]>>();

/** Followers by `model.field` of what they follow. */
function followersIn(registry: Registry): ReadonlyMap<string, readonly Follower[]> {
  const known = byRegistry.get(registry);
  if (known) return known;
  const followers = new Map<string, Follower[]>();
  for (const model of registry.models.values()) {
    for (const field of model.fields.values()) {
      if (!field.spec.live) continue;
      const path = ((field.spec.from ?? field.spec.follows) as string).split('.');
      let at = model;
      path.forEach((name, step) => {
        const key = `${at.name}.${name}`;
        const follower = { model, field, way: path.slice(0, step), rest: path.slice(step + 1) };
        if (step > 0) followers.set(key, [...(followers.get(key) ?? []), follower]);
        const relation = at.fields.get(name)?.spec.relation;
        if (relation !== undefined) at = registry.model(relation);
      });
    }
  }
  byRegistry.set(registry, followers);
  return followers;
}

/** Fields that are `live` follow later changes at the end of their path, until a user overrides them. */
export const followLater: Concern = {
  name: 'follow later',
  plan({ env, model, operation, fields }) {
    const followers = operation === 'write' ? followersIn(env.registry) : new Map();
    const followed = [...fields].filter(
      ({ name, compute }) => compute === null && followers.has(`${model.name}.${name}`),
    );
    return followed.length > 0 ? { after: (run) => follow(run, followed) } : null;
  },
};

async function follow({ env, model, updated }: WriteRun, followed: readonly Field[]): Promise<void> {
  // As the server: users who change a contact need not see all records that follow it.
  const server = env.sudo().outside(false);
  for (const field of followed) {
    for (const { id, changed } of updated) {
      const change = changed.get(field);
      if (!change) continue;
      for (const follower of followersIn(env.registry).get(`${model.name}.${field.name}`) ?? []) {
        const [old, now] = [
          await endOf(server, field, change.old, follower),
          await endOf(server, field, change.new, follower),
        ];
        await writeFollower(server, follower, id, old, now);
      }
    }
  }
}

/** The value at the end of the path for a value of the changed field. */
async function endOf(env: Env, field: Field, value: unknown, { rest }: Follower): Promise<unknown> {
  if (rest.length === 0 || value === null) return value;
  const records = env.model(field.spec.relation as string);
  const [record] = await records.load([value as number], [rest.join('.')]);
  return record ? valueAtEnd(rest)(record) : null;
}

/**
 * Records that still have the old value get the new one; another value was overridden. Locked ones stay as they are.
 */
async function writeFollower(env: Env, follower: Follower, id: number, old: unknown, now: unknown): Promise<void> {
  const { model, field, way } = follower;
  if (now === null && field.spec.follows === undefined) return;
  const { states } = model;
  const locking = [...(states?.locks ?? [])].filter(([, names]) => names.has(field.name)).map(([state]) => state);
  const wire = (value: unknown) => (value === null ? null : field.kind.toParameter(value));
  const ids = await env
    .model(model.name)
    .search([
      [way.join('.'), '=', id],
      [field.name, '=', wire(old)],
      ...(states && locking.length > 0 ? [[states.field, 'not in', locking]] : []),
    ] as never);
  if (ids.length > 0) await env.model(model.name).write(ids, { [field.name]: now });
}
