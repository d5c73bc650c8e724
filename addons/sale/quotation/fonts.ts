import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Env } from '@kontor/addon';

const locate = createRequire(import.meta.url);

/** Noto Sans with Latin, Cyrillic and Greek. Found by package, since the built server lies elsewhere than the sources. */
export function fontFiles(): { readonly regular: string; readonly bold: string } {
  return {
    regular: locate.resolve('@addons/sale/static/noto-sans-regular.ttf'),
    bold: locate.resolve('@addons/sale/static/noto-sans-bold.ttf'),
  };
}

const parameter = 'sale.report_fonts';
const mostFiles = 500;

/**
 * Fonts for other scripts, in the order of their names, from the folders that the system parameter names (commas between
 * them). A folder that is not there gives none: what is printed then has empty boxes, and is still a quotation.
 */
export async function furtherFonts(env: Env): Promise<readonly string[]> {
  const [row] = await env
    .sudo()
    .model('sys.config.parameter')
    .searchRead([['name', '=', parameter]], ['value'], { limit: 1 });
  const folders = (row?.value ?? '').split(',').map((folder) => folder.trim());
  const found = await Promise.all(folders.filter((folder) => folder !== '').map(fontsIn));
  return found.flat().slice(0, mostFiles);
}

async function fontsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names
    .filter((name) => /\.(ttf|otf|woff2?)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}
