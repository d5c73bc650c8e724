import fc from 'fast-check';
import { testSeed } from '../../packages/testing/test-env.ts';

// A property fails in each run or in none: what it is tried with is the same in all of them, but for the long one.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: testSeed });
