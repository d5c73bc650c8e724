import { expect, it } from 'vitest';
import * as door from '../index.ts';
import { exported, referencePages } from './door-examples.ts';

it('MOD-9 the reference knows every export of the door', () => {
  const values = exported.filter(({ isType }) => !isType).map(({ name }) => name);
  expect(values.sort()).toEqual(Object.keys(door).sort());
});

it('MOD-9 REF-1 everything in the reference has a comment and an example', () => {
  expect(referencePages().gaps).toEqual([]);
});
