import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { addAddons } from '../added/added-addons.ts';
import { checkPacked } from '../added/check-packed.ts';
import { isRegistryName, npmPack } from '../added/npm-pack.ts';
import { integrityOf, type PackedAddon, readPackage } from '../added/read-package.ts';
import { addedFolder } from '../addon-code.ts';
import { type Command, UsageError } from './command.ts';
import { installedModules } from './open-source.ts';

export const add: Command = {
  name: 'add',
  takes: 'FILE|FOLDER|NAME …',
  help: 'Adds addons from tarballs, from folders, or by name from the registry that npm uses.',
  details: `They are stored in addons_dir, where every process finds them, and can then be installed. Several are added together or
not at all. Their content is checked first, as an install would read it. Requirements are "kontor" and the ranges in "depends" of the manifest; addons that do not meet them are rejected. NAME is a
package such as @acme/kontor-library@^1.2, fetched according to .npmrc. No script of a package runs, and nothing else is fetched.`,
  words: [1, 50],
  options: [
    {
      name: 'integrity',
      value: 'SHA512',
      help: 'The expected checksum of the tarball, as printed by kontor pack (sha512-…).',
    },
    { name: 'older', help: 'Accept an older version than the one in use.' },
    { name: 'no-check', help: 'Skip the check of their content.' },
  ],
  async run({ config, words, option, has }) {
    const wanted = option('integrity');
    if (wanted !== undefined && words.length > 1) throw new UsageError('--integrity is for one tarball.');
    const packed: PackedAddon[] = [];
    for (const word of words) packed.push(await take(word, wanted));
    const check = has('no-check') ? undefined : () => checkPacked(config, packed);
    const placed = await addAddons(config, packed, { mayBeOlder: has('older'), check });
    // Only for the hint about the next step: it works without a database.
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

/** A path takes precedence over a name. */
async function take(word: string, wanted: string | undefined): Promise<PackedAddon> {
  const path = resolve(word);
  const found = statSync(path, { throwIfNoEntry: false });
  const isFile = found?.isFile() === true;
  if (!found && (/^[./]|\.tgz$/.test(word) || !isRegistryName(word))) {
    throw new UsageError(`${word} is not a tarball, a folder or a package name.`);
  }
  const packed = isFile ? null : await npmPack(found ? path : word);
  const tarball = packed?.tarball ?? (await readFile(path));
  if (wanted !== undefined && integrityOf(tarball) !== wanted) {
    throw new Error(`${word} has the wrong checksum: ${integrityOf(tarball)} instead of ${wanted}.`);
  }
  return readPackage(tarball, packed && !found ? packed.id : basename(path));
}
