import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Env } from '@kontor/orm';

const mostFiles = 500;

/**
 * Font files in the order of their names from the folders that a system parameter names. A folder that is not there gives none:
 * what nothing can write are empty boxes.
 */
export async function foundFonts(env: Env, parameter: string): Promise<readonly string[]> {
  const parameters = env.model('sys.config.parameter');
  const [row] = await parameters.searchRead([['name', '=', parameter]], ['value'], { limit: 1 });
  const folders = String(row?.value ?? '')
    .split(',')
    .map((folder) => folder.trim());
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
