import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Checks files as those of an addon outside of this repository. Gives the errors in them; the tree has its own check. */
export async function compileOutside(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-outside-'));
  try {
    for (const [name, text] of Object.entries({ ...files, 'tsconfig.json': await tsconfig() })) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', '.'], { cwd: folder }).catch(
      (error) => error,
    );
    return ownErrors(stdout);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tsconfig(): Promise<string> {
  const { compilerOptions } = JSON.parse(await readFile(join(root, 'tsconfig.json'), 'utf8'));
  const paths = {
    '@kontor/orm/author': [join(root, 'packages/orm/author/index.ts')],
    '@kontor/*': [join(root, 'packages/*/index.ts')],
    '@addons/base': [join(root, 'addons/base/addon.ts')],
  };
  const relaxed = { noUnusedLocals: false, typeRoots: [join(root, 'node_modules/@types')], paths };
  return JSON.stringify({ compilerOptions: { ...compilerOptions, ...relaxed }, include: ['**/*.ts'] });
}

function ownErrors(output: string): string {
  return output
    .split('\n')
    .filter((line) => /^(?!\.\.\/)[\w./-]+\.ts\(|^error/.test(line))
    .join('\n');
}
