import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { compileOutside, root } from './compile-outside.ts';

it('MOD-9 the example of README.md compiles', { timeout: 120_000 }, async () => {
  const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(await readFile(join(root, 'README.md'), 'utf8')) ?? [];
  expect(code).toContain('defineModel');
  expect(await compileOutside({ 'models/book.ts': code })).toBe('');
});

it('MOD-9 the examples of docs/writing-an-addon.md compile', { timeout: 120_000 }, async () => {
  const page = await readFile(join(root, 'docs/writing-an-addon.md'), 'utf8');
  const examples = [...page.matchAll(/^( *)```ts\n([\s\S]*?)^ *```$/gm)].map(([, , code = '']) => code);
  const server = examples.filter((code) => !code.includes('@kontor/client'));
  const files = server.map((code) => [/^ *\/\/ (\S+\.ts)\n/.exec(code)?.[1] ?? `unnamed: ${code}`, code]);
  expect(files.map(([name = '']) => name).filter((name) => !name.endsWith('.ts'))).toEqual([]);
  expect(files.length).toBeGreaterThanOrEqual(7);
  expect(await compileOutside(Object.fromEntries(files))).toBe('');
});
