import { translateDatabaseError } from '@kontor/database';
import type { Env } from '../env.ts';
import { type ConstraintDescription, describeConstraints } from '../schema/describe-constraints.ts';

/**
 * Runs statements whose violated constraints are the caller's mistake, told by field. `say` words what the model's
 * author did not.
 */
export async function translated<T>(
  env: Env,
  work: () => Promise<T>,
  say?: (described: ConstraintDescription) => string,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const describe = describeConstraints(env.registry);
    const told = translateDatabaseError(error, (...constraint) => {
      const described = describe(...constraint);
      return described && say ? { ...described, message: say(described) } : described;
    });
    throw told ?? error;
  }
}
