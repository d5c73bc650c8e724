import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseArguments } from '../commands/command.ts';
import { commandTable, flagTable, keyTable } from '../commands/config-tables.ts';
import { commands } from '../commands/run-command.ts';

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

it('OPS-15 docs/operations.md names the tarball that is built, and commands and options that there are', () => {
  const text = readFileSync(page, 'utf8');
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  const tarballs = new Set([...text.matchAll(/\bkontor-\d[\w.]*\.tgz/g)].map(([name]) => name));
  expect([...tarballs]).toEqual([`kontor-${version}.tgz`]);
  const blocks = [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].flatMap(([, kind, block = '']) =>
    kind ? [] : [block],
  );
  const calls = blocks.flatMap((block) =>
    [...block.matchAll(/(?:^|\s)(?:kontor|node \S*kontor\.mjs) ([a-z][a-z-]*(?=\s)[^#;&\n]*)/gm)].map(([, call = '']) =>
      call.trim().replace('$port', '8080'),
    ),
  );
  expect(calls.length).toBeGreaterThan(12);
  for (const [name = '', ...argv] of calls.map((call) => call.split(/\s+/))) {
    const command = commands.find((each) => each.name === name);
    if (name !== 'start') expect(command?.name, `kontor ${name}`).toBe(name);
    if (command && name !== 'start') parseArguments(command, argv);
  }
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
