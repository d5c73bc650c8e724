import type { ComputeByValue, LoadedRecord } from '../model/behaviour.ts';
import type { Env, Field, Model } from '../model/model.ts';
import { guardRecord, isStrictAboutPaths } from '../reading/guard-record.ts';
import { castResult } from './cast-result.ts';
import { computeContext } from './compute-context.ts';

type ComputedField = Field & { readonly compute: ComputeByValue };
export type ValuesById = ReadonlyMap<number, unknown>;

/**
 * Values of computed fields for many records at once. Their inputs are read under the system's rights: what a computed
 * field shows is its author's decision (and its `groups`), and must not differ from reader to reader.
 */
export async function computeValues(
  env: Env,
  model: Model,
  ids: readonly number[],
  fields: readonly ComputedField[],
): Promise<ReadonlyMap<string, ValuesById>> {
  const paths = [...new Set(fields.flatMap((field) => field.compute.depends))];
  const records = ids.length === 0 ? [] : await env.sudo().model(model.name).load(ids, paths, { missing: 'skip' });
  return new Map(
    fields.map((field) => {
      const compute = computerOf(env, field);
      return [field.name, new Map(records.map((record) => [record.id, compute(record)]))];
    }),
  );
}

/** The compute as a function of a loaded record, guarded where undeclared reads must fail. */
export function computerOf(env: Env, field: ComputedField): (record: LoadedRecord) => unknown {
  const { compute } = field;
  const context = computeContext(env);
  const cast = (result: unknown) => (field.kind.isList ? idsOf(result) : castResult(field, result));
  if (!isStrictAboutPaths()) return (record) => cast(compute.value(record, context));
  const reader = `The compute of ${field.model}.${field.name}`;
  return (record) => cast(compute.value(guardRecord(record, compute.depends, reader), context));
}

function idsOf(result: unknown): readonly unknown[] {
  if (!Array.isArray(result)) return [];
  return result.map((each: unknown) => (typeof each === 'object' && each !== null && 'id' in each ? each.id : each));
}
