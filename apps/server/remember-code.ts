import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Addon, AddonDefinition } from '@kontor/kernel';

type Load = (addon: Addon) => Promise<AddonDefinition>;

/**
 * The same files give the same code: an addon from outside is compiled again only when one of its files changed, so that
 * a change of modules elsewhere is followed at once however many such addons there are.
 */
export function rememberCode(load: Load): Load {
  const known = new Map<string, { readonly stamp: string; readonly code: Promise<AddonDefinition> }>();
  return async (addon) => {
    if (addon.isShipped) return load(addon);
    const stamp = await stampOf(addon.folder);
    const earlier = known.get(addon.folder);
    if (earlier?.stamp === stamp) return earlier.code;
    const code = load(addon);
    known.set(addon.folder, { stamp, code });
    code.catch(() => known.delete(addon.folder));
    return code;
  };
}

async function stampOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const { size, mtimeMs } = await stat(file);
    hash.update(`${file}\0${size}\0${mtimeMs}\n`);
  }
  return hash.digest('hex');
}
