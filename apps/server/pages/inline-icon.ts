import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { type Addon, isPicture } from '@kontor/kernel';

const types: Readonly<Record<string, string>> = { '.svg': 'image/svg+xml', '.png': 'image/png', '.webp': 'image/webp' };
const maxBytes = 40_000;

/** An addon's picture in the page itself: before anybody can sign in, its files cannot be asked for. */
export async function inlineIcon({ folder, manifest }: Addon): Promise<string | null> {
  if (!isPicture(manifest.icon)) return null;
  const content = await readFile(join(folder, manifest.icon)).catch(() => null);
  if (!content || content.length > maxBytes) return null;
  return `data:${types[extname(manifest.icon).toLowerCase()]};base64,${content.toString('base64')}`;
}
