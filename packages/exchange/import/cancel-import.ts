import { type Env, open } from '@kontor/orm';
import { noteBatch, takeBatch } from './import-batch.ts';

/** Discards a staged batch with its file. Returns where to go next. */
export async function cancelImport(env: Env, batchId: number): Promise<string> {
  const { next, model } = await takeBatch(env, batchId);
  await noteBatch(env.db, batchId, { state: 'cancelled', errors: [], rejects: null });
  return next ?? open(model, { view: 'list' }).redirect;
}
