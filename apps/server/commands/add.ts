import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { addAddons } from '../added/added-addons.ts';
import { isRegistryName, npmPack } from '../added/npm-pack.ts';
import { integrityOf, type PackedAddon, readPackage } from '../added/read-package.ts';
import { addedFolder } from '../addon-code.ts';
import { type Command, UsageError } from './command.ts';
import { installedModules } from './open-source.ts';

export const add: Command = {
  name: 'add',
  takes: 'FILE|FOLDER|NAME …',
  help: 'Takes addons in: from tarballs, from folders, or by name from the registry that npm is set up for.',
  details: `They are put into addons_dir, where every process finds them, and can be installed then. Several are added together or
not at all. Each says what it asks for: "kontor" and ranges in "depends" of its manifest; what does not fit is refused. NAME is a
package such as @acme/kontor-library@^1.2, fetched as .npmrc says. No script of a package runs, and nothing else is fetched.`,
  words: [1, 50],
  options: [
    { name: 'integrity', value: 'SHA512', help: 'What the tarball must be, as kontor pack said it (sha512-…).' },
    { name: 'older', help: 'Also when a newer version is there.' },
  ],
  async run({ config, words, option, has }) {
    const wanted = option('integrity');
    if (wanted !== undefined && words.length > 1) throw new UsageError('--integrity is for one tarball.');
    const packed: PackedAddon[] = [];
    for (const word of words) packed.push(await take(word, wanted));
    const placed = await addAddons(config, packed, { mayBeOlder: has('older') });
    // Only for what to do next: a database that does not answer is no reason against it.
    const installed = await installedModules(config).catch(() => new Set<string>());
    for (const { name, version, before, integrity } of placed) {
      const change = before === null || before === version ? version : `${before} → ${version}`;
      console.log(`${name} ${change} (${integrity.slice(0, 22)}…)`);
      console.log(
        installed.has(name)
          ? `  It is installed: bring the database to it with kontor upgrade ${name}`
          : `  Install it under Apps, or with kontor start -i ${name}`,
      );
    }
    console.log(`In ${addedFolder(config)}`);
  },
};

/** A path wins over a name. */
async function take(word: string, wanted: string | undefined): Promise<PackedAddon> {
  const path = resolve(word);
  const found = statSync(path, { throwIfNoEntry: false });
  const isFile = found?.isFile() === true;
  if (!found && (/^[./]|\.tgz$/.test(word) || !isRegistryName(word))) {
    throw new UsageError(`${word} is no tarball, no folder, and no name of a package.`);
  }
  const packed = isFile ? null : await npmPack(found ? path : word);
  const tarball = packed?.tarball ?? (await readFile(path));
  if (wanted !== undefined && integrityOf(tarball) !== wanted) {
    throw new Error(`${word} is not what it should be: its checksum is ${integrityOf(tarball)}, and not ${wanted}.`);
  }
  return readPackage(tarball, packed && !found ? packed.id : basename(path));
}
