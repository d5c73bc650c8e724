import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import * as door from '../index.ts';
import { compileOutside, root } from './compile-outside.ts';

const documented = new Map<string, string | null>();
const names = Object.keys(door).sort();
const typeNames = [
  'ActionAnswer',
  'ActionCall',
  'Calls',
  'CallsOf',
  'CastValues',
  'Command',
  'CreateValues',
  'Domain',
  'Draft',
  'Env',
  'FieldsOf',
  'Loaded',
  'ModelName',
  'Models',
  'NoticeSpec',
  'RecordOf',
  'SettingsOf',
  'Sheet',
  'WriteValues',
];

beforeAll(async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'packages/addon/package.json'), 'utf8'));
  const rooms = ['protocol', ...Object.keys(dependencies).map((name) => name.replace('@kontor/', ''))];
  for (const room of rooms) await collect(join(root, 'packages', room));
});

describe('MOD-9 the door of addon authors', () => {
  it.each(names)('%s has a doc comment with an example', (name) => {
    expect(documented.get(name), `${name} needs a doc comment`).toBeDefined();
    expect(documented.get(name), `${name} needs an example`).not.toBeNull();
  });

  it('has examples that compile', { timeout: 120_000 }, async () => {
    const given = new Set([...names, ...typeNames]);
    const examples = [...documented].filter(([name, example]) => given.has(name) && example !== null);
    expect(examples.length).toBeGreaterThanOrEqual(names.length);
    const files = examples.map(([name, example], index) => [`${name}-${index}.ts`, moduleOf(example as string)]);
    expect(await compileOutside(Object.fromEntries(files))).toBe('');
  });
});

/** Doc comments before exports, by name; the example in a fence or after `@example`. */
async function collect(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !['tests', 'node_modules', 'dist'].includes(entry.name)) await collect(path);
    if (!entry.isFile() || !entry.name.endsWith('.ts')) continue;
    const source = await readFile(path, 'utf8');
    const pattern =
      /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:\/\/.*\n)*export (?:const|(?:async )?function|class|interface|type) (\w+)/g;
    for (const [, comment, name] of source.matchAll(pattern)) remember(path, name as string, comment as string);
  }
}

function remember(path: string, name: string, comment: string): void {
  const text = comment.replace(/^\s*\* ?/gm, '');
  const fences = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
  const example = fences.length > 0 ? fences.join('\n') : (/@example\n([\s\S]*)/.exec(text)?.[1] ?? null);
  const isAuthors = path.includes('/author/');
  if (!documented.get(name) || (isAuthors && example !== null)) documented.set(name, example);
}

/** An example may use whatever the door gives. */
function moduleOf(example: string): string {
  const used = [...names, ...typeNames];
  const isUsed = (name: string) =>
    new RegExp(`\\b${name}\\b`).test(example) && !example.includes(`interface ${name} {`);
  const imports = used.filter(isUsed).map((name) => (names.includes(name) ? name : `type ${name}`));
  return `import '@addons/base';\nimport { ${imports.join(', ')} } from '@kontor/addon';\n${example}\nexport {};\n`;
}
