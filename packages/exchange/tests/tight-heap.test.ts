import { expect, it } from 'vitest';
import { createTightHeap } from '../import/tight-heap.ts';

const tight = '--heap-growing-percent=60';
const usual = '--heap-growing-percent=0';

it('IMP-26 the engine collects sooner from the first import that runs to the end of the last, also when one fails', async () => {
  const given: string[] = [];
  const inTightHeap = createTightHeap((flag) => given.push(flag));
  let fail = (_: Error): void => {};
  let finish = (_: string): void => {};
  const running = [
    inTightHeap(() => new Promise<string>((_, reject) => (fail = reject))),
    inTightHeap(() => new Promise<string>((resolve) => (finish = resolve))),
  ];
  expect(given).toEqual([tight]);
  fail(new Error('a bad row'));
  await expect(running[0]).rejects.toThrow('a bad row');
  expect(given).toEqual([tight]);
  finish('done');
  expect(await running[1]).toBe('done');
  expect(given).toEqual([tight, usual]);
});
