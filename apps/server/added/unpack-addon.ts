import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type PackedAddon, readPackage } from './read-package.ts';

/** An addon of a tarball in a temporary folder of its name. */
export interface UnpackedAddon {
  readonly name: string;
  readonly folder: string;
  remove(): Promise<void>;
}

export async function unpackAddon(tarball: string): Promise<UnpackedAddon> {
  const { manifest, files } = await readPackage(await readFile(tarball), basename(tarball));
  const place = await mkdtemp(join(tmpdir(), 'kontor-earlier-'));
  const folder = join(place, manifest.name);
  await writeFiles(folder, files);
  return { name: manifest.name, folder, remove: () => rm(place, { recursive: true, force: true }) };
}

export async function writeFiles(folder: string, files: PackedAddon['files']): Promise<void> {
  for (const [path, content] of files) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
