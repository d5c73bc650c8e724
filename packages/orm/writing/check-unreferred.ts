import { ident, join, sql } from '@kontor/database';
import { KontorError, type Text, text } from '@kontor/protocol';
import { mayAccessModel } from '../access/model-access.ts';
import type { Env, Model } from '../model/model.ts';
import { searchRead } from '../reading/search-read.ts';
import { type Referrer, referrers } from './referrers.ts';

/** So many of those that refer are looked at for names that the caller may see, and so many are named. */
const mostLookedAt = 1_000;
const mostNamed = 3;

interface Holder extends Referrer {
  readonly ids: readonly number[];
}

/** Refuses to delete what others refer to by a relation that holds on; those that go along do not count. */
export async function checkUnreferred(
  env: Env,
  model: Model,
  ids: readonly number[],
  going: ReadonlyMap<Model, ReadonlySet<number>>,
): Promise<void> {
  const holders = await holdersOf(env, referrers(env.registry, model).holding, ids, going);
  if (holders.length === 0) return;
  const told = [];
  const messages: Text[] = [];
  for (const { model: referring, field, ids: held } of holders) {
    const records = await named(env, referring, held);
    told.push({ model: referring.name, field: field.name, records });
    const words = { model: referring.label, label: field.label, records: records.map(({ name }) => name).join(', ') };
    messages.push(
      records.length > 0
        ? text('This is still in use as {label} in {model}: {records}.', words)
        : text('This is still in use as {label} in {model}.', words),
    );
  }
  throw new KontorError('VALIDATION_ERROR', messages[0], {
    model: model.name,
    fields: { id: messages },
    referring: told,
  });
}

/** One statement for all relations that point at the model. */
async function holdersOf(
  env: Env,
  holding: readonly Referrer[],
  ids: readonly number[],
  going: ReadonlyMap<Model, ReadonlySet<number>>,
): Promise<readonly Holder[]> {
  if (holding.length === 0) return [];
  const queries = holding.map(
    ({ model, field }, index) => sql`(
      select ${index}::int4, id from ${ident(model.table)} where ${ident(field.column as string)} = any(${ids}::int4[])
        and not id = any(${[...(going.get(model) ?? [])]}::int4[])
      order by id desc limit ${mostLookedAt})`,
  );
  const rows = await env.db.arrays(join(queries, sql` union all `));
  return holding.flatMap((referrer, index) => {
    const own = rows.flatMap(([at, id]) => (at === index ? [id as number] : []));
    return own.length > 0 ? [{ ...referrer, ids: own }] : [];
  });
}

async function named(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly name: string }[]> {
  if (!mayAccessModel(env, model, 'read')) return [];
  const rows = await searchRead(env, model, [['id', 'in', ids]], ['display_name'], { limit: mostNamed });
  return rows.map(({ id, display_name: name }) => ({ id, name: String(name ?? '') }));
}
