import { expect, it } from 'vitest';
import { createTightHeap, inTightHeap } from '../import/tight-heap.ts';

const tight = '--heap-growing-percent=60';
const usual = '--heap-growing-percent=0';

it('IMP-26 the engine collects sooner from the first import that runs to the end of the last, also when one fails', async () => {
  const given: string[] = [];
  const tightly = createTightHeap(
    (flag) => given.push(flag),
    () => given.push('collect'),
  );
  let fail = (_: Error): void => {};
  let finish = (_: string): void => {};
  const running = [
    tightly(() => new Promise<string>((_, reject) => (fail = reject))),
    tightly(() => new Promise<string>((resolve) => (finish = resolve))),
  ];
  expect(given).toEqual([tight]);
  fail(new Error('a bad row'));
  await expect(running[0]).rejects.toThrow('a bad row');
  expect(given).toEqual([tight]);
  finish('done');
  expect(await running[1]).toBe('done');
  expect(given).toEqual([tight, usual]);
});

it('IMP-26 for many rows the engine is made to look at once, as it decides then how much may pile up', async () => {
  const given: string[] = [];
  const tightly = createTightHeap(
    (flag) => given.push(flag),
    () => given.push('collect'),
  );
  await tightly(async () => given.push('few'), 4_999);
  await tightly(async () => given.push('many'), 5_000);
  expect(given).toEqual([tight, 'few', usual, tight, 'collect', 'many', usual]);
});

it('IMP-26 the engine has a collector to be called', async () => {
  const gone = new WeakRef({});
  // What a weak reference has just been made to is kept to the end of the turn.
  await new Promise((resolve) => setImmediate(resolve));
  await inTightHeap(async () => {}, 5_000);
  expect(gone.deref()).toBeUndefined();
});
