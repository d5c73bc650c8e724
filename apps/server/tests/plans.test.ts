import { type Concern, concerns, type Env, type Field, type Model, makePlan, preventsStatement } from '@kontor/orm';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { shippedApps } from '@kontor/testing/shipped-apps';
import { afterAll, beforeAll, expect, it } from 'vitest';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: shippedApps() });
});
afterAll(() => world.close());

type Operation = 'create' | 'write';

/** Which concerns keep a change of these fields from being one statement. */
function inTheWay(list: readonly Concern[], env: Env, model: Model, operation: Operation, fields: readonly Field[]) {
  const given = new Set(fields);
  const plain = { purpose: 'call', isCalled: false, isCascade: false, base: new Set<string>() } as const;
  return preventsStatement(makePlan(list, { env, model, operation, ...plain, given, always: given }));
}

/** A creation with the required fields that have no default, and a write of every field that can be set. */
function* changesOf(model: Model): Iterable<readonly [Operation, readonly Field[]]> {
  const fields = [...model.fields.values()];
  yield [
    'create',
    fields.filter(({ required, spec, name }) => required && spec.default === undefined && name !== 'id'),
  ];
  for (const field of fields) yield ['write', [field]];
}

const asAdmin = (work: (env: Env) => void) => world.work(async (env) => work(env.outside(true)));

it('PRF-26 a concern without SQL turns every one-statement plan off', async () => {
  await asAdmin((env) => {
    const spy: Concern = { name: 'spy', plan: () => ({ row: { kind: 'check', run: () => {} } }) };
    let statements = 0;
    for (const model of env.registry.models.values()) {
      for (const [operation, given] of changesOf(model)) {
        if (inTheWay(concerns, env, model, operation, given).length === 0) statements++;
        expect(inTheWay([...concerns, spy], env, model, operation, given)).toContain('spy');
      }
    }
    expect(statements).toBeGreaterThan(150);
  });
});

it('PRF-27 which changes of shipped models are one statement, and what prevents the others', async () => {
  const lines: string[] = [];
  await asAdmin((env) => {
    for (const model of [...env.registry.models.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const ways = new Map<string, string[]>();
      for (const [operation, given] of changesOf(model)) {
        const concerned = inTheWay(concerns, env, model, operation, given);
        if (concerned.some((name) => name.endsWith('access'))) continue;
        const way = `${operation}: ${concerned.length === 0 ? 'one statement' : concerned.join(', ')}`;
        const names = operation === 'create' ? [] : given.map(({ name }) => name);
        ways.set(way, [...(ways.get(way) ?? []), ...names]);
      }
      if (ways.size > 0) lines.push(model.name);
      for (const [way, names] of ways) lines.push(`  ${[way, names.join(' ')].filter(Boolean).join(' – ')}`);
    }
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('golden/plans.txt');
});
