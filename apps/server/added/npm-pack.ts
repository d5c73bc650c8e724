import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { integrityOf } from './read-package.ts';

export interface NpmPackage {
  /** Name and version, as npm calls it. */
  readonly id: string;
  readonly filename: string;
  readonly integrity: string;
  readonly tarball: Buffer;
}

/** `name`, `@scope/name`, each with a version or a range, as in a registry. URLs and git sources would run code. */
const registryName = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:@[a-z0-9.^~<>=|*x+ -]+)?$/i;

export function isRegistryName(text: string): boolean {
  return registryName.test(text) && !text.startsWith('-');
}

/**
 * Lets npm pack a folder or fetch a package: it knows the registry and its keys from `.npmrc`, and verifies what it fetched. No
 * script of the package runs.
 */
export async function npmPack(what: string): Promise<NpmPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-pack-'));
  try {
    const said = await npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder, '--', what]);
    const [report] = JSON.parse(said) as readonly Omit<NpmPackage, 'tarball'>[];
    if (!report) throw new Error(`npm packed nothing of ${what}.`);
    // npm may report the file of a scoped package with a slash in its name.
    const filename = report.filename.replace(/^@/, '').replace('/', '-');
    const tarball = await readFile(join(folder, filename));
    if (integrityOf(tarball) !== report.integrity) throw new Error(`The tarball of ${what} is not what npm packed.`);
    return { id: report.id, filename, integrity: report.integrity, tarball };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function npm(args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('npm', [...args], { maxBuffer: 32_000_000 }, (error, output, said) => {
      if (!error) return resolve(output);
      if (error.code === 'ENOENT') return reject(new Error('npm is not installed here. Use the tarball itself.'));
      const lines = said.split('\n').filter((line) => /^npm (error|ERR!)/.test(line) && !/complete log/.test(line));
      reject(new Error([`npm could not do it.`, ...lines.slice(0, 8)].join('\n')));
    });
  });
}
