import type { LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { isSystemName } from '../model/names.ts';
import { usesRowCache } from '../model/row-cache.ts';
import { settleState } from '../operation/settle-state.ts';
import { pathTree } from '../reading/guard-record.ts';
import { load } from '../reading/load.ts';

type PathTree = ReturnType<typeof pathTree>;

/**
 * Loads what computes, constraints and conditions read of records of this operation; deleted ones are left out. Nobody else can
 * change a record that it created or locked, so values that it wrote or computed are not read again, and rows of cached models
 * are in memory.
 */
export async function loadKnown(
  env: Env,
  model: Model,
  ids: readonly number[],
  paths: readonly string[],
): Promise<LoadedRecord[]> {
  const tree = pathTree(paths);
  const records = mayBeKnown(env, model, tree) ? ids.map((id) => knownRecord(env, model, id, tree)) : [null];
  const known = records.filter((record) => record !== null);
  if (known.length < records.length) return load(env, model, ids, paths, { missing: 'skip' });
  for (const [name, below] of tree) if (below.size > 0) await loadBehind(env, model, name, below, known);
  return known;
}

type Known = { id: number } & Record<string, unknown>;

/** Whether the paths have nothing but columns of the model itself, and what rows of cached models have. */
function mayBeKnown(env: Env, model: Model, tree: PathTree): boolean {
  if (settleState(env).hasLost) return false;
  return [...tree].every(([name, below]) => {
    const field = model.fields.get(name);
    if (!field?.column || field.kind.isFile || isSystemName(name)) return false;
    return below.size === 0 || (usesRowCache(env) && relatedTo(env, field)?.isCached === true);
  });
}

function relatedTo({ registry }: Env, { kind, spec }: Field): Model | null {
  return kind.isToOne && spec.relation !== undefined ? registry.model(spec.relation) : null;
}

/** The record with its own columns; null if one of them is not known. */
function knownRecord(env: Env, model: Model, id: number, tree: PathTree): Known | null {
  const { created, written, held } = settleState(env);
  const columns = created.get(model.name)?.has(id) ? written.get(model.name)?.get(id) : undefined;
  const computed = held.get(model.name)?.get(id)?.values;
  const record: Known = { id };
  for (const name of tree.keys()) {
    const field = model.fields.get(name) as Field;
    // Columns of a new record that nobody gave or computed are empty.
    const value = computed?.has(field) ? computed.get(field) : columns && (columns.get(field) ?? null);
    if (value === undefined) return null;
    record[name] = field.kind.isToOne && value !== null ? { id: value } : (value ?? field.kind.absent);
  }
  return record;
}

async function loadBehind(env: Env, model: Model, name: string, below: PathTree, records: readonly Known[]) {
  const field = model.fields.get(name) as Field;
  const idOf = (record: Known) => (record[name] as { readonly id: number } | null)?.id;
  const ids = [...new Set(records.flatMap((record) => idOf(record) ?? []))];
  const related = ids.length > 0 ? await load(env, relatedTo(env, field) as Model, ids, pathsOf(below)) : [];
  const byId = new Map(related.map((each) => [each.id, each]));
  for (const record of records) record[name] = byId.get(idOf(record) as number) ?? null;
}

function pathsOf(tree: PathTree): readonly string[] {
  return [...tree].flatMap(([name, below]) =>
    below.size === 0 ? [name] : pathsOf(below).map((path) => `${name}.${path}`),
  );
}
