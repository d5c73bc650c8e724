import { anyModel, type Env } from '@kontor/addon';
import type { Move } from './move-references.ts';

type Fields = Env['registry']['models'] extends ReadonlyMap<string, { fields: infer F }> ? F : never;
export type Field = Fields extends ReadonlyMap<string, infer F> ? F : never;
type Values = Readonly<Record<string, unknown>>;

/** Empty does not mean unknown in these: no company means every company, and the hierarchy is decided elsewhere. */
const neverTaken: ReadonlySet<string> = new Set(['id', 'company_id', 'parent_id', 'create_uid', 'write_uid']);

/** Fields whose value is taken from another record than usual, with its id. */
export type Chosen = Readonly<Record<string, number>>;

/**
 * The values that the kept record takes over: missing values, in the order of the others, what was chosen, and their many2manys. Read and written
 * with the server's rights: nothing is lost because the user who merges may not see it.
 */
export async function combinedValues(env: Env, { model, keep, others }: Move, chosen: Chosen = {}): Promise<Values> {
  const fields = [...(env.registry.models.get(model)?.fields.values() ?? [])];
  const machine = env.registry.models.get(model)?.states?.field;
  const plain = fields.filter((field) => isFilled(field) && field.name !== machine).map(({ name }) => name);
  const flags = fields.filter((field) => isFlag(field) && chosen[field.name] !== undefined).map(({ name }) => name);
  const lists = fields.filter(isOwnList).map(({ name }) => name);
  const [own, ...rest] = await anyModel(env.sudo(), model).read([keep, ...others], [...plain, ...flags, ...lists]);
  const values: Record<string, unknown> = {};
  for (const name of [...plain, ...flags]) {
    const first = isEmpty(own?.[name]) ? rest.find((row) => !isEmpty(row[name])) : undefined;
    const source = rest.find((row) => row.id === chosen[name]) ?? (chosen[name] === keep ? undefined : first);
    if (source) values[name] = source[name];
  }
  for (const name of lists) {
    const has = new Set(own?.[name] as readonly number[]);
    const links = new Set(rest.flatMap((row) => row[name] as readonly number[]).filter((id) => !has.has(id)));
    if (links.size > 0) values[name] = [...links].map((id) => ['link', id]);
  }
  return values;
}

/** Booleans always have a value, and unique values go with the record that had them. */
export function isFilled(field: Field): boolean {
  return isPlain(field) && !field.kind.isBoolean;
}

/** Whether a person may say which record's value is kept. */
export function isChoosable(field: Field): boolean {
  return isPlain(field) && !field.isReadonly;
}

function isFlag(field: Field): boolean {
  return isPlain(field) && field.kind.isBoolean;
}

function isPlain({ name, spec, kind, compute, related, isStored }: Field): boolean {
  if (neverTaken.has(name) || compute !== null || related !== null || !isStored) return false;
  return !kind.isList && !spec.secret && !spec.unique;
}

/** What a person chose in the comparison: fields that they may read, of records that are merged. */
export function chosenIn(env: Env, { model, keep, others }: Move, comparison: unknown): Chosen {
  const given = (comparison as { readonly chosen?: unknown } | null)?.chosen ?? {};
  const fields = env.registry.models.get(model)?.fields;
  const chosen = Object.entries(given as object).filter(([name, id]) => {
    const field = fields?.get(name);
    const groups = field?.spec.groups;
    const isSeen = groups === undefined || groups.some((group) => env.actor.groups.has(group));
    return field !== undefined && isSeen && isChoosable(field) && [keep, ...others].includes(id as number);
  });
  return Object.fromEntries(chosen) as Chosen;
}

export function isOwnList({ kind, compute, related }: Field): boolean {
  return kind.isLinks && compute === null && related === null;
}

export function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
