/** True in `npm run test:long`, which does whole what `npm test` does in part. */
export const isLong = process.env.KONTOR_TEST_LONG === '1';

/** A number that a failed run tells, and that repeats it: `KONTOR_TEST_SEED`. */
export const testSeed = Number(process.env.KONTOR_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
