import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Each of its two halves; V8 starts with 1 MB, and grows to 16 when it is busy. */
const halfBytes = 8 * 1024 * 1024;
const firstBytes = 1024 * 1024;
const usualFactor = 2;
const pieceLength = 12_000;
const pieces = 18;

/**
 * Gives V8 room for new objects at once, instead of gradually: most objects of a start survive, so each time the space is full all
 * of them are copied, and each time V8 lowers the size at which it collects the whole heap, until it does so in the middle of the
 * start. The space grows when much has survived: so a large object is created while the step is large. The step is reset before any
 * code is read that was compiled with the default settings.
 */
export function growYoungSpace(): void {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  if (!space || space.space_size > halfBytes) return;
  setFlagsFromString(`--semi-space-growth-factor=${halfBytes / firstBytes}`);
  const kept: unknown[] = [];
  while (kept.length < pieces) kept.push(new Array(pieceLength).fill(0));
  setFlagsFromString(`--semi-space-growth-factor=${usualFactor}`);
}
