import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { discoverAddons } from '@kontor/kernel';
import { checkPacked } from '../added/check-packed.ts';
import { npmPack } from '../added/npm-pack.ts';
import { readPackage } from '../added/read-package.ts';
import { checkAddonFolder, hasError } from './check-addon.ts';
import { type Command, UsageError } from './command.ts';

export const pack: Command = {
  name: 'pack',
  takes: '[DIR]',
  help: 'Checks the addon in DIR, or here, packs it as an npm tarball for `kontor add`, and prints its checksum.',
  details: `The content of the tarball is checked too: a file that is imported must be packed. The addon needs a package.json with the version of its manifest. Imported packages are included if
package.json has "bundleDependencies": true. No script of package.json runs. npm publish uploads the tarball to a registry.`,
  words: [0, 1],
  options: [
    { name: 'out', short: 'o', value: 'DIR', help: 'The folder for the tarball; default: here.' },
    { name: 'from', value: 'TARBALL', help: 'An earlier version, from which an upgrade must be possible.' },
    { name: 'no-check', help: 'Skip the check.' },
  ],
  async run({ config, words: [given = '.'], option, has }) {
    const folder = resolve(given);
    const [addon] = (await discoverAddons([{ folder, isShipped: false }])).values();
    if (!addon || addon.folder !== folder) throw new UsageError(`There is no addon in ${folder}.`);
    checkPackageFile(folder, addon.manifest.version);
    const options = { asJson: false, withTypes: true, schema: undefined, from: option('from') };
    if (!has('no-check') && hasError(await checkAddonFolder(config, folder, options))) {
      throw new Error('Nothing was packed. Fix the errors first.');
    }
    const { tarball, filename, integrity } = await npmPack(folder);
    const packed = await readPackage(tarball, filename);
    refuseEarlier([...packed.files.keys()]);
    if (!has('no-check')) await checkPacked(config, [packed]);
    const target = join(resolve(option('out') ?? '.'), filename);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, tarball);
    const shown = relative('', target);
    console.log(`${shown}: ${packed.files.size} files, ${(tarball.length / 1000).toFixed(1)} kB`);
    console.log(integrity);
    console.log(`Install it with: kontor add ${shown} --integrity ${integrity}`);
  },
};

/** Each package would contain all before it. */
function refuseEarlier(files: readonly string[]): void {
  const earlier = files.filter((file) => file.endsWith('.tgz') && !file.startsWith('node_modules/'));
  if (earlier.length === 0) return;
  throw new Error(
    `Nothing was packed: the package would contain earlier ones (${earlier.join(', ')}). Add the line *.tgz to .npmignore, or name what is packed in "files" of package.json.`,
  );
}

function checkPackageFile(folder: string, version: string): void {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) {
    throw new Error(`There is no package.json in ${folder}. Make one with: npm init --yes`);
  }
  const said = (JSON.parse(readFileSync(file, 'utf8')) as { readonly version?: string }).version;
  if (said === version) return;
  throw new Error(
    `manifest.json has the version ${version} and package.json ${said ?? 'none'}: they must be the same.`,
  );
}
