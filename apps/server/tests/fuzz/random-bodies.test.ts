import { isLong, testSeed as seed } from '@kontor/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type FuzzWorld, flaw, startFuzzWorld } from './judge.ts';
import { type KnownModel, knownModels } from './known-models.ts';
import { randomBody } from './random-bodies.ts';

const cases = isLong ? 100_000 : 1_000;
const together = 50;

let world: FuzzWorld;
let models: ReadonlyMap<string, KnownModel>;
beforeAll(async () => {
  world = await startFuzzWorld();
  models = await knownModels(world);
});
afterAll(() => world.close());

it(`RPC-23 ${cases} random bodies for every model find no 500 and no crash (seed ${seed})`, async () => {
  console.log(`random bodies: seed ${seed}, ${cases} cases (KONTOR_TEST_SEED=${seed} repeats them)`);
  const outcomes = new Map<number, number>();
  const property = fc.asyncProperty(
    fc.array(randomBody(models), { minLength: together, maxLength: together }),
    async (bodies) => {
      const answers = await Promise.all(bodies.map(world.post));
      for (const [at, answer] of answers.entries()) {
        outcomes.set(answer.status, (outcomes.get(answer.status) ?? 0) + 1);
        const wrong = flaw(answer);
        if (wrong !== null)
          throw new Error(`${wrong}\n${String(bodies[at]).slice(0, 2_000)}\n${world.log.slice(-3).join('')}`);
      }
    },
  );
  await fc.assert(property, { seed, numRuns: Math.ceil(cases / together), endOnFailure: true });
  console.log('answers by status:', Object.fromEntries([...outcomes].sort()));
  expect(outcomes.get(200) ?? 0).toBeGreaterThan(cases / 10);
  expect(await (await fetch(`${world.url}/api/health`)).json()).toEqual({ ok: true });
}, 3_600_000);
