import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commandTable, flagTable, keyTable } from '../commands/config-tables.ts';

const page = new URL('../../../docs/operations.md', import.meta.url);

/** `UPDATE_DOCS=1` writes the tables into the page instead of comparing. */
it.each([
  ['commands', commandTable],
  ['flags', flagTable],
  ['keys', keyTable],
])('GEN-3 CLI-1 docs/operations.md lists the %s that the server reads', (name, table) => {
  const text = readFileSync(page, 'utf8');
  const block = new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`);
  if (process.env.UPDATE_DOCS) {
    writeFileSync(
      page,
      text.replace(block, () => `<!-- ${name} -->\n${table()}\n<!-- /${name} -->`),
    );
  } else expect(block.exec(text)?.[1]).toBe(`${table()}\n`);
});

it('OPS-10 docs/reliability.md names only tests and commands that there are', () => {
  const root = new URL('../../../', import.meta.url);
  const text = readFileSync(new URL('docs/reliability.md', root), 'utf8');
  const files = [...text.matchAll(/[\w./-]+\.test\.ts/g)].map(([file]) => file);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const called = [...text.matchAll(/^npm (?:run )?([\w:]+)/gm)].map(([, name = '']) => name);
  expect(called.length).toBeGreaterThan(5);
  expect(called.filter((name) => !(name in scripts))).toEqual([]);
});
