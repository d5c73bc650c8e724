import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Env, fontFiles } from '@kontor/addon';

const parameter = 'sale.report_fonts';
const mostFiles = 500;

/**
 * Fonts for other scripts: in the order of their names those from the folders that the system parameter names (commas between
 * them), then those that are shipped. A folder that is not there gives none: what nothing can write are empty boxes.
 */
export async function furtherFonts(env: Env): Promise<readonly string[]> {
  const [row] = await env
    .sudo()
    .model('sys.config.parameter')
    .searchRead([['name', '=', parameter]], ['value'], { limit: 1 });
  const folders = (row?.value ?? '').split(',').map((folder) => folder.trim());
  const found = await Promise.all(folders.filter((folder) => folder !== '').map(fontsIn));
  return [...found.flat().slice(0, mostFiles), ...fontFiles().further];
}

async function fontsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names
    .filter((name) => /\.(ttf|otf|woff2?)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}
