import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as door from '../index.ts';
import { compileOutside, root } from './compile-outside.ts';
import { doorExamples, exported, referencePages } from './door-examples.ts';

const workshop = join(import.meta.dirname, 'workshop');

it('MOD-9 the reference knows every export of the door', () => {
  const values = exported.filter(({ isType }) => !isType).map(({ name }) => name);
  expect(values.sort()).toEqual(Object.keys(door).sort());
});

it('MOD-9 REF-1 everything in the reference has a comment and an example', () => {
  expect(referencePages().gaps).toEqual([]);
});

it('MOD-9 REF-2 REF-4 the examples compile, those of comments, the addon that others are cut from and the tutorial', async () => {
  const files: Record<string, string> = { ...doorExamples() };
  expect(Object.keys(files).length).toBeGreaterThan(80);
  for (const entry of await readdir(workshop, { recursive: true })) {
    if (entry.endsWith('.ts')) files[`workshop/${entry}`] = await readFile(join(workshop, entry), 'utf8');
  }
  for (const [name, text] of await tutorialFiles()) files[`tutorial/${name}`] = text;
  expect(await compileOutside(files)).toBe('');
});

/** Under another name: examples in comments speak of a library too. Its tests are compiled where they run. */
async function tutorialFiles(): Promise<readonly (readonly [string, string])[]> {
  const page = await readFile(join(root, 'docs/tutorial.md'), 'utf8');
  const files = [...page.matchAll(/^`([^`\n]+\.ts)`\n```ts\n([\s\S]*?)^```$/gm)];
  return files
    .filter(([, name = '']) => !name.startsWith('tests/'))
    .map(([, name = '', text = '']) => [name, text.replaceAll("'library.", "'tutorial.")] as const);
}
