import {
  type Concern,
  concerns,
  type Env,
  type Field,
  type Model,
  makePlan,
  type PlannedWrite,
  planShort,
  preventsStatement,
} from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shippedApps } from './shipped-apps.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: shippedApps });
});
afterAll(() => world.close());

const none: ReadonlySet<Field> = new Set();
const asAdmin = <T>(work: (env: Env) => T) => world.work(async (env) => work(env.outside(true)));
const planned = (env: Env, model: Model, operation: PlannedWrite['operation'], ...given: Field[]) => ({
  ...{ env, model, operation, given: new Set(given), base: none },
});

function* writesOf(env: Env): Iterable<ReturnType<typeof planned>> {
  for (const model of env.registry.models.values()) {
    const fields = [...model.fields.values()];
    yield planned(env, model, 'create', ...fields.filter((field) => field.required && field.name !== 'id'));
    yield planned(env, model, 'create', ...fields.slice(0, 1));
    for (const [at, field] of fields.entries()) {
      for (const other of [field, ...fields.slice(at + 1)]) {
        yield planned(env, model, 'write', field, other);
        yield planned(env, model, 'create', field, other);
      }
    }
  }
}

describe('PRF-26 plans of the shipped models', () => {
  it('both deciders agree', async () => {
    const seller = await world.person('Sam Seller', ['sale.group_user', 'crm.group_user']);
    for (const [count, by] of [world.admin, seller].entries()) {
      await world.kernel.transact(by, async (inside) => {
        const env = inside.outside(true);
        let [all, statements] = [0, 0];
        for (const write of writesOf(env)) {
          const isStatement = preventsStatement(makePlan(concerns, write)).length === 0;
          const values = Object.fromEntries([...write.given].map(({ name }) => [name, null]));
          const change =
            write.operation === 'create'
              ? ({ operation: 'create', values } as const)
              : ({ operation: 'write', id: 1, values, base: null } as const);
          const old = planShort(env, write.model, change) !== null;
          if (old !== isStatement)
            expect([
              write.model.name,
              write.operation,
              Object.keys(values),
              preventsStatement(makePlan(concerns, write)),
            ]).toBe(old);
          all++;
          if (old) statements++;
        }
        console.log(count, all, statements);
      });
    }
  });
});
