import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as door from '../index.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const documented = new Map<string, string | null>();
const names = Object.keys(door).sort();
const typeNames = [
  'ActionAnswer',
  'Calls',
  'CallsOf',
  'ActionCall',
  'Command',
  'CreateValues',
  'Domain',
  'Draft',
  'Env',
  'FieldsOf',
  'Loaded',
  'ModelName',
  'Models',
  'RecordOf',
  'WriteValues',
];
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kontor-door-'));
  const { dependencies } = JSON.parse(await readFile(join(root, 'packages/addon/package.json'), 'utf8'));
  const rooms = ['protocol', ...Object.keys(dependencies).map((name) => name.replace('@kontor/', ''))];
  for (const room of rooms) await collect(join(root, 'packages', room));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('MOD-9 the door of addon authors', () => {
  it.each(names)('%s has a doc comment with an example', (name) => {
    expect(documented.get(name), `${name} needs a doc comment`).toBeDefined();
    expect(documented.get(name), `${name} needs an example`).not.toBeNull();
  });

  it('has examples that compile', { timeout: 120_000 }, async () => {
    const examples = [...documented].filter(([, example]) => example !== null);
    expect(examples.length).toBeGreaterThanOrEqual(names.length);
    await Promise.all(
      examples.map(([name, example], index) => {
        const file = join(folder, `${name}-${index}.ts`);
        return writeFile(file, moduleOf(example as string));
      }),
    );
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(await tsconfig()));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch(
      (error) => error,
    );
    expect(ownErrors(stdout)).toBe('');
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

async function tsconfig(): Promise<object> {
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'));
  const paths = {
    '@kontor/orm/author': [join(root, 'packages/orm/author/index.ts')],
    '@kontor/*': [join(root, 'packages/*/index.ts')],
    '@addons/base': [join(root, 'addons/base/addon.ts')],
  };
  const relaxed = { noUnusedLocals: false, typeRoots: [join(root, 'node_modules/@types')], paths };
  return { compilerOptions: { ...compilerOptions, ...relaxed }, include: ['*.ts'] };
}

/** Errors of the examples only; the tree has its own check. */
function ownErrors(output: string): string {
  return output
    .split('\n')
    .filter((line) => /^(\w+-\d+\.ts\(|error)/.test(line))
    .join('\n');
}
