import type { Env } from '@kontor/addon';
import { typedEnv } from '@kontor/orm';
import { createTestKernel } from '@kontor/testing';
import { expect, it } from 'vitest';
import { readWork } from '../match/work.ts';

it('BNK-21 the demonstration has a statement to work through: certain, likely and unknown entries', async () => {
  const world = await createTestKernel({ modules: ['bank'], demo: true });
  try {
    const run = <T>(work: (env: Env) => Promise<T>) => world.work((env) => work(typedEnv(env)));
    const page = await run((env) => readWork(env, { state: 'open', accountId: null, limit: 100 }));
    const levels = page.entries.map(({ suggestions }) => suggestions[0]?.level ?? 'none');
    expect(new Set(levels)).toEqual(new Set(['certain', 'likely', 'possible', 'none']));
    expect(page.counts).toMatchObject({ open: 7, matched: 1, aside: 3 });
    const statements = await run((env) =>
      env.model('bank.statement').searchRead([], ['difference', 'gap', 'open_count']),
    );
    expect(statements.map(({ difference }) => difference?.toFixed())).toEqual(['0', '0']);
    const paid = await run((env) => env.model('invoice.payment').count([['bank_entry_id', '!=', null]]));
    expect(paid).toBe(1);
  } finally {
    await world.close();
  }
});
