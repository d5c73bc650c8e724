import { anyModel, type Env } from '@kontor/addon';
import type { Move } from './move-references.ts';

type Fields = Env['registry']['models'] extends ReadonlyMap<string, { fields: infer F }> ? F : never;
type Field = Fields extends ReadonlyMap<string, infer F> ? F : never;
type Values = Readonly<Record<string, unknown>>;

/** Empty does not mean unknown in these: no company means every company, and the hierarchy is decided elsewhere. */
const neverTaken: ReadonlySet<string> = new Set(['id', 'company_id', 'parent_id', 'create_uid', 'write_uid']);

/**
 * The values that the kept record takes over: missing values, in the order of the others, and their many2manys. Read and written
 * with the server's rights: nothing is lost because the user who merges may not see it.
 */
export async function combinedValues(env: Env, { model, keep, others }: Move): Promise<Values> {
  const fields = [...(env.registry.models.get(model)?.fields.values() ?? [])];
  const machine = env.registry.models.get(model)?.states?.field;
  const plain = fields.filter((field) => isFilled(field) && field.name !== machine).map(({ name }) => name);
  const lists = fields.filter(isOwnList).map(({ name }) => name);
  const [own, ...rest] = await anyModel(env.sudo(), model).read([keep, ...others], [...plain, ...lists]);
  const values: Record<string, unknown> = {};
  for (const name of plain) {
    const source = isEmpty(own?.[name]) ? rest.find((row) => !isEmpty(row[name])) : undefined;
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
function isFilled({ name, spec, kind, compute, related, isStored }: Field): boolean {
  if (neverTaken.has(name) || compute !== null || related !== null || !isStored) return false;
  return !kind.isBoolean && !kind.isList && !spec.secret && !spec.unique;
}

function isOwnList({ kind, compute, related }: Field): boolean {
  return kind.isLinks && compute === null && related === null;
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}
