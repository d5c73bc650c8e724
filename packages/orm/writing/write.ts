import { invalidArgs } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import type { Env, Model } from '../model/model.ts';
import { checkIds } from '../reading/check-ids.ts';
import type { Values, WriteOptions } from '../records.ts';
import { writeEach } from './write-each.ts';

/** The same values for all the records. With `base`, what others changed meanwhile is merged or told as CONFLICT. */
export async function write(
  env: Env,
  model: Model,
  ids: readonly number[],
  values: Values,
  { base, ...options }: WriteOptions = {},
): Promise<true> {
  checkModelAccess(env, model, 'write');
  const unique = checkIds(model, ids);
  if (base !== undefined && unique.length !== 1) {
    throw invalidArgs('A write with base takes one id.', { model: model.name });
  }
  const rows = unique.map((id) => (base === undefined ? { id, values } : { id, values, base }));
  return writeEach(env, model, rows, options);
}
