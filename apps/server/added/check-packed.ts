import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, checkAddons } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import { addonLoader, addonRoots } from '../addon-code.ts';
import type { PackedAddon } from './read-package.ts';
import { writeFiles } from './unpack-addon.ts';

/** What an install would refuse. Other findings are for the author. */
const blocking: ReadonlySet<string> = new Set(['manifest', 'words', 'code', 'models', 'data', 'views']);

/**
 * Checks the content of tarballs in an empty folder, as an install would read it, and throws with every mistake. A file that is
 * imported and not packed is one.
 */
export async function checkPacked(config: Config, packed: readonly PackedAddon[]): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'kontor-packed-'));
  try {
    const folder = join(place, 'addons');
    for (const { manifest, files } of packed) await writeFiles(join(folder, manifest.name), files);
    const codeOf = addonLoader({ ...config, dataDir: place });
    const { findings } = await checkAddons({
      roots: addonRoots(config),
      folder,
      codeOf,
      parts: systemParts,
      icons: null,
    });
    const names = new Set(packed.map(({ manifest }) => manifest.name));
    const errors = findings
      .filter(({ addon, severity, check }) => names.has(addon) && severity === 'error' && blocking.has(check))
      .map(({ addon, file, line, message, fix }) =>
        `${addon}/${file}:${line}: ${message} ${fix || missingFile(message)}`.trim(),
      );
    if (errors.length > 0) throw new Error(`The package cannot be installed:\n${errors.join('\n')}`);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** What is there beside the author and not in the tarball. */
function missingFile(message: string): string {
  return /Could not resolve "\.{1,2}\//.test(message) ? 'If the file is there, add it to "files" in package.json.' : '';
}
