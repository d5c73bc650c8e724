import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { AddonError } from './addon-error.ts';
import { checkManifest, type Manifest } from './manifest.ts';

/** The manifest of an addon's folder, or null where the folder is no addon. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const file = join(folder, 'manifest.json');
  const name = basename(folder);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new AddonError({ addon: name, file }, `The manifest cannot be read (${error.code}).`);
  });
  return text === null ? null : checkManifest(parse(text, name, file), name, file);
}

function parse(text: string, addon: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const line = lineOf(error, text);
    throw new AddonError({ addon, file, ...(line && { line }) }, 'The manifest is not valid JSON.');
  }
}

function lineOf(error: unknown, text: string): number | null {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? null : text.slice(0, Number(position)).split('\n').length;
}
