import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AddonError, attempt, type Place, type ReportMistake } from '../addon-error.ts';
import type { Addon } from '../catalogue.ts';

export interface DataFile {
  readonly addon: string;
  /** Inside the addon's folder, with forward slashes. */
  readonly file: string;
  readonly path: string;
  readonly format: 'access' | 'csv' | 'xml';
  readonly isDemo: boolean;
}

const folders = ['security', 'data', 'views', 'demo'] as const;

/** The data files of an addon in load order: security, data, views, demo; by name within each. */
export async function listDataFiles(addon: Addon, report?: ReportMistake): Promise<readonly DataFile[]> {
  const groups = await Promise.all(folders.map((folder) => filesIn(addon, folder, report)));
  return groups.flat();
}

async function filesIn(
  addon: Addon,
  folder: (typeof folders)[number],
  report: ReportMistake | undefined,
): Promise<readonly DataFile[]> {
  const entries = await readdir(join(addon.folder, folder), { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new AddonError({ addon: addon.name, file: folder }, `The folder cannot be read (${error.code}).`);
    },
  );
  const names = entries
    .filter((entry) => !entry.isDirectory() && !/^\.|\.md$/.test(entry.name))
    .map(({ name }) => name);
  const files = names
    .sort()
    .flatMap((name) => attempt<readonly DataFile[]>(report, [], () => [dataFile(addon, folder, name)]));
  // Groups come from XML files, and access rows need them, whatever the file names are.
  const access = files.filter((file) => file.format === 'access');
  return [...files.filter((file) => file.format !== 'access'), ...access];
}

function dataFile(addon: Addon, folder: (typeof folders)[number], name: string): DataFile {
  const file = `${folder}/${name}`;
  const format = formatOf(folder, name);
  if (!format) {
    const expected = folder === 'security' ? 'access.csv and *.xml' : folder === 'views' ? '*.xml' : '*.xml and *.csv';
    const problem = `Kontor does not read this file: ${folder}/ contains only ${expected}.`;
    throw new AddonError({ addon: addon.name, file, line: 1 }, problem, `Rename it, or move it out of ${folder}/.`);
  }
  return { addon: addon.name, file, path: join(addon.folder, folder, name), format, isDemo: folder === 'demo' };
}

function formatOf(folder: (typeof folders)[number], name: string): DataFile['format'] | null {
  if (name.endsWith('.xml')) return 'xml';
  if (folder === 'security') return name === 'access.csv' ? 'access' : null;
  return folder !== 'views' && name.endsWith('.csv') ? 'csv' : null;
}

/** An image or another file of the addon, as base64: `static/desk.png`, relative to the addon's folder. */
export function fileValue(file: DataFile, name: string, place: Place): string {
  if (name === '') return '';
  const folder = file.path.slice(0, -file.file.length);
  const path = join(folder, name);
  if (relative(folder, path).startsWith('..')) throw new AddonError(place, `"${name}" is not a file of the addon.`);
  try {
    return readFileSync(path).toString('base64');
  } catch {
    throw new AddonError(place, `There is no file "${name}" in the addon's folder.`);
  }
}
