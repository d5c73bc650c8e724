import { invalidArgs, KontorError, text } from '@kontor/protocol';
import type { Model } from '../model/model.ts';

export const maxRecordsPerCall = 10_000;
const maxId = 2_147_483_647;

/** Ids as a caller gave them: each once, ascending, so that locks are always taken in the same order. */
export function checkIds(model: Model, ids: readonly number[]): number[] {
  if (!Array.isArray(ids)) throw invalidArgs('The ids must be an array.', { model: model.name });
  if (ids.length > maxRecordsPerCall) {
    throw invalidArgs(`At most ${maxRecordsPerCall} ids a call.`, { model: model.name, max: maxRecordsPerCall });
  }
  for (const id of ids) {
    if (!Number.isSafeInteger(id)) throw invalidArgs(`Not an id: ${JSON.stringify(id)}.`, { model: model.name });
  }
  const unique = [...new Set<number>(ids)].sort((a, b) => a - b);
  const impossible = unique.filter((id) => id < 1 || id > maxId);
  if (impossible.length > 0) throw notFound(model, impossible);
  return unique;
}

export function notFound(model: Model, missing: readonly number[]): KontorError {
  const which = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ', …' : '');
  return new KontorError('NOT_FOUND', text('{model} {id} does not exist.', { model: model.label, id: which }), {
    model: model.name,
    missing_ids: missing,
  });
}
