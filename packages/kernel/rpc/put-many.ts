import {
  bindExternalIds,
  type Env,
  externalIdPattern,
  findRecords,
  lockPrefixes,
  type Model,
  splitExternalId,
  takenExternalIds,
} from '@kontor/orm';
import { invalidArgs, KontorError, text, type Values, type Words } from '@kontor/protocol';
import { sysModule } from '../addons/module-rows.ts';

export interface PutOptions {
  /** The external id of each row; null if it has none. */
  readonly externalIds: readonly (string | null)[] | null;
  /** By external id, or by a unique field; null: existing records are not written. */
  readonly upsert: 'external_ids' | { readonly field: string } | null;
}

/** Creates records with external ids chosen by the caller, and writes existing ones. Returns ids in the order of the rows. */
export async function putMany(
  env: Env,
  model: Model,
  rows: readonly Values[],
  options: PutOptions,
): Promise<readonly number[]> {
  const names = checkedNames(options, rows.length);
  const targets = await findTargets(env, model, rows, names, options);
  const records = env.model(model.name);
  const fresh = rows.flatMap((_, index) => (targets[index] === null ? [index] : []));
  const made = fresh.length === 0 ? [] : await records.createMany(fresh.map((index) => rows[index] as Values));
  const known = targets.flatMap((id, index) => (id === null ? [] : [{ id, values: rows[index] as Values }]));
  if (known.length > 0) await records.writeEach(known);
  const ids = [...targets];
  for (const [at, index] of fresh.entries()) ids[index] = made[at] as number;
  const named = fresh.flatMap((index) =>
    names[index] ? [{ externalId: names[index], id: ids[index] as number }] : [],
  );
  await giveNames(env, model, named);
  return ids as number[];
}

/** Assigns unused external ids to records. */
export async function giveNames(
  env: Env,
  model: Model,
  named: readonly { readonly externalId: string; readonly id: number }[],
): Promise<void> {
  if (named.length === 0) return;
  const bound = await bindExternalIds(env, model.name, named);
  const lost = named.find(({ externalId }) => !bound.has(externalId))?.externalId;
  if (lost === undefined) return;
  throw new KontorError('CONFLICT', text('The external id {id} was given to another record meanwhile.', { id: lost }), {
    external_id: lost,
  });
}

/** External ids that users may choose: well formed, not of a module, and not in use. */
export async function checkFree(env: Env, names: readonly (string | null)[]): Promise<void> {
  const given = names.filter((name) => name !== null);
  const owned = await modulePrefixes(env);
  const taken = new Set(await takenExternalIds(env, given));
  refuseNames(names, (name) => {
    const { module } = splitExternalId(name);
    if (owned.has(module))
      return text('External ids of {module} belong to that module. Choose another prefix.', { module });
    return taken.has(name)
      ? text('The external id {id} belongs to another record. Choose another one.', { id: name })
      : null;
  });
}

/** Prefixes that belong to modules, installed or not. They are not secret, so any name can be checked. */
export async function modulePrefixes(env: Env): Promise<ReadonlySet<string>> {
  const modules = await env.sudo().model(sysModule.name).searchRead([], ['name']);
  return new Set(modules.map(({ name }) => String(name)));
}

function checkedNames({ externalIds, upsert }: PutOptions, count: number): readonly (string | null)[] {
  if (externalIds === null) return Array.from({ length: count }, () => null);
  if (upsert !== null && upsert !== 'external_ids')
    throw invalidArgs('With external_ids, upsert is true or left out.', { field: 'upsert' });
  if (externalIds.length !== count)
    throw invalidArgs(`external_ids has one entry for each row: ${count}.`, { field: 'external_ids' });
  const seen = new Set<string>();
  refuseNames(externalIds, (name) => {
    if (!externalIdPattern.test(name)) return text('Must be a record id or an external id such as shop.order_7.');
    if (seen.has(name)) return text('The external id {id} is given twice.', { id: name });
    seen.add(name);
    return null;
  });
  return externalIds;
}

/** A VALIDATION_ERROR that names each invalid row by index. */
function refuseNames(names: readonly (string | null)[], fault: (name: string) => Words | null): void {
  const rows = names.flatMap((name, index) => {
    const message = name === null ? null : fault(name);
    return message === null ? [] : [{ index, fields: { external_id: [message] as const } }];
  });
  const [first] = rows;
  if (first) throw new KontorError('VALIDATION_ERROR', first.fields.external_id[0], { fields: first.fields, rows });
}

/** The record of each row; null for a new one. */
async function findTargets(
  env: Env,
  model: Model,
  rows: readonly Values[],
  names: readonly (string | null)[],
  { upsert }: PutOptions,
): Promise<readonly (number | null)[]> {
  if (upsert !== null && upsert !== 'external_ids') return findByField(env, model, rows, upsert.field);
  const given = names.filter((name) => name !== null);
  if (given.length === 0) return rows.map(() => null);
  await lockPrefixes(env, given);
  const taken = new Set(await takenExternalIds(env, given));
  const found = upsert === null ? new Map<string, number>() : await findRecords(env, model, given);
  const known = new Map([...found].filter(([name]) => taken.has(name)));
  await checkFree(
    env,
    names.map((name) => (name !== null && known.has(name) ? null : name)),
  );
  return names.map((name) => (name === null ? null : (known.get(name) ?? null)));
}

async function findByField(
  env: Env,
  model: Model,
  rows: readonly Values[],
  name: string,
): Promise<readonly (number | null)[]> {
  const isUnique = model.uniques.some(({ fields, where }) => fields.length === 1 && fields[0] === name && !where);
  if (!isUnique) {
    const known = model.uniques.flatMap(({ fields }) => (fields.length === 1 ? fields : []));
    throw invalidArgs(`upsert is true or a field of ${model.name} that no two records share.`, {
      field: 'upsert',
      hint: `There ${known.length === 1 ? 'is' : 'are'}: ${known.join(', ') || 'none'}.`,
    });
  }
  const values = [...new Set(rows.flatMap((row) => row[name] ?? []))];
  const found = await env.model(model.name).searchRead([[name, 'in', values]], [name]);
  const byValue = new Map(found.map((record) => [String(record[name]), record.id]));
  return rows.map((row) => (row[name] == null ? null : (byValue.get(String(row[name])) ?? null)));
}
