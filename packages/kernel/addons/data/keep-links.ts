import type { Env } from '@kontor/orm';
import type { Values } from '@kontor/protocol';
import { namedBy } from './external-ids.ts';

interface Update {
  readonly id: number;
  readonly values: Values;
}

/**
 * A file says which records a record is linked with, as far as it can know them: those of its own module and of the ones it
 * stands on. Links with others came from a later module or from a person, and an upgrade leaves them alone.
 */
export async function keepLinks(
  env: Env,
  modelName: string,
  modules: readonly string[],
  updates: readonly Update[],
): Promise<readonly Update[]> {
  const model = env.registry.model(modelName);
  const names = [...new Set(updates.flatMap(({ values }) => Object.keys(values)))];
  const relations = names.filter((name) => model.fields.get(name)?.spec.type === 'many2many');
  if (relations.length === 0) return updates;
  const ids = updates.map(({ id }) => id);
  const rows = new Map((await env.model(modelName).read(ids, relations)).map((row) => [row.id, row]));
  const merged = updates.map(({ id, values }) => ({ id, values: { ...values } as Record<string, unknown> }));
  for (const name of relations) {
    const linked = [...rows.values()].flatMap((row) => row[name] as readonly number[]);
    const known = await namedBy(env, modules, model.fields.get(name)?.spec.relation ?? '', linked);
    for (const { id, values } of merged) {
      if (!(name in values)) continue;
      const others = ((rows.get(id)?.[name] ?? []) as readonly number[]).filter((other) => !known.has(other));
      const [[, given]] = values[name] as [['set', readonly number[]]];
      values[name] = [['set', [...new Set([...given, ...others])]]];
    }
  }
  return merged;
}
