import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const { keepBuilds } = (await import(join(import.meta.dirname, '../keep-builds.mjs'))) as {
  keepBuilds(folder: string, listFile: string, files: readonly string[]): Promise<void>;
};

it('keeps the files of the last three builds, however often one of them is made again', async () => {
  const home = mkdtempSync(join(tmpdir(), 'kontor-builds-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const folder = join(home, 'assets');
  const build = async (name: string) => {
    for (const end of ['js', 'js.gz', 'js.br', 'js.map', 'js.map.gz', 'css'])
      writeFileSync(join(folder, `${name}.${end}`), name);
    writeFileSync(join(folder, 'shared.js'), 'shared');
    await keepBuilds(folder, join(home, 'builds.json'), ['shared.js', `${name}.js`, `${name}.css`]);
  };
  const names = () => [...new Set(readdirSync(folder).map((file) => file.split('.')[0]))].sort();
  mkdirSync(folder);
  writeFileSync(join(folder, 'leftover-of-a-watch.js'), '');
  await build('a');
  await build('b');
  await build('c');
  expect(names()).toEqual(['a', 'b', 'c', 'shared']);
  await build('c');
  await build('c');
  expect(names()).toEqual(['a', 'b', 'c', 'shared']);
  await build('d');
  expect(names()).toEqual(['b', 'c', 'd', 'shared']);
  expect(readdirSync(folder).filter((file) => file.startsWith('b.'))).toHaveLength(6);
});
