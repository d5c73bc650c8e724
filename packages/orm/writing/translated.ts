import { translateDatabaseError } from '@kontor/database';
import type { Env } from '../model/model.ts';
import { describeConstraints } from '../schema/describe-constraints.ts';

/** Runs statements whose violated constraints are the caller's mistake, told by field. */
export async function translated<T>(env: Env, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translateDatabaseError(error, describeConstraints(env.registry)) ?? error;
  }
}
