import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as door from '../index.ts';
import { compileOutside } from './compile-outside.ts';
import { doorExamples, exported, referencePages } from './door-examples.ts';

const workshop = join(import.meta.dirname, 'workshop');

it('MOD-9 the reference knows every export of the door', () => {
  const values = exported.filter(({ isType }) => !isType).map(({ name }) => name);
  expect(values.sort()).toEqual(Object.keys(door).sort());
});

it('MOD-9 REF-1 everything in the reference has a comment and an example', () => {
  expect(referencePages().gaps).toEqual([]);
});

it('MOD-9 REF-2 the examples compile, those of comments and the addon that others are cut from', async () => {
  const files: Record<string, string> = { ...doorExamples() };
  expect(Object.keys(files).length).toBeGreaterThan(80);
  for (const entry of await readdir(workshop, { recursive: true })) {
    if (entry.endsWith('.ts')) files[`workshop/${entry}`] = await readFile(join(workshop, entry), 'utf8');
  }
  expect(await compileOutside(files)).toBe('');
});
