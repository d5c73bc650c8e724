import { AsyncLocalStorage } from 'node:async_hooks';
import { sql } from '@kontor/database';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { countStatements } from '../count-statements.ts';
import { createTestDatabase } from '../test-database.ts';

describe('statements of a caller', () => {
  it('are counted for each of several that run at the same time, also for those who end later', async () => {
    const { database, drop } = await createTestDatabase();
    onTestFinished(drop);
    const ask = () => database.query(sql`select 1`);
    let end = (): void => {};
    const isEnded = new Promise<void>((resolve) => {
      end = resolve;
    });
    const later = countStatements(async () => {
      await ask();
      await isEnded;
      await ask();
    });
    expect(await countStatements(ask)).toBe(1);
    end();
    expect(await later).toBe(2);
    expect(await countStatements(ask)).toBe(1);
  });

  it('are counted without a cost for what comes after: nothing of the process is followed any more', async () => {
    const stopped = vi.spyOn(AsyncLocalStorage.prototype, 'disable');
    onTestFinished(() => stopped.mockRestore());
    await expect(countStatements(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(stopped).toHaveBeenCalledOnce();
  });
});
