import { it } from 'vitest';
import { isLong } from './test-env.ts';

/**
 * A test of the long run. `npm test` shows each rule once, by the tests that take least time; what takes longer and shows the same
 * rule in another way is of the long run.
 */
export const long = it.runIf(isLong);
