import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { chooseOne } from '@kontor/protocol';
import { kontorVersion } from '../kontor-version.ts';
import { AddonError } from './addon-error.ts';
import { isInRange, isVersionRange } from './version-range.ts';

/** The content of `manifest.json`. */
export interface ManifestFile {
  /** The name of its folder: lower-case letters, digits, `_`. */
  readonly name: string;
  /** Its name on screens. */
  readonly label: string;
  /** Its version, of numbers: `1.2.0`. */
  readonly version: string;
  /** Compatible versions of Kontor, such as `^0.1`; empty for addons that ship with Kontor. */
  readonly kontor: string;
  /** Addons that it requires; `base` is always included. `sale@^0.1` also limits the versions. */
  readonly depends: readonly string[];
  /** Shown as an app on the home screen. */
  readonly application: boolean;
  /** Its category in the catalogue. */
  readonly category: string;
  /** A sentence for the catalogue. */
  readonly summary: string;
  /** Its author. */
  readonly author: string;
  /** Name of an icon. */
  readonly icon: string;
  /** Installs itself once everything it depends on is installed. */
  readonly auto_install: boolean;
  /** Always installed; can be neither deactivated nor uninstalled. */
  readonly required: boolean;
}

export interface Manifest extends ManifestFile {
  /** Compatible versions by addon, from entries such as `"sale@^0.1"` in `depends`, which then contains only the name. */
  readonly ranges: Readonly<Record<string, string>>;
}

type ManifestKey = keyof ManifestFile;
type Expected = 'text' | 'flag' | 'names';
const expectedOf: Readonly<Record<ManifestKey, Expected>> = {
  name: 'text',
  label: 'text',
  version: 'text',
  kontor: 'text',
  depends: 'names',
  application: 'flag',
  category: 'text',
  summary: 'text',
  author: 'text',
  icon: 'text',
  auto_install: 'flag',
  required: 'flag',
};
const wording: Readonly<Record<Expected, string>> = {
  text: 'a text',
  flag: 'true or false',
  names: 'a list of addon names, each alone or with versions as in "sale@^0.1"',
};
const mandatory = ['name', 'label', 'version'] as const;
const namePattern = /^[a-z][a-z0-9_]{0,63}$/;
const versionPattern = /^\d+(\.\d+){0,3}$/;

export function isAddonName(name: unknown): name is string {
  return typeof name === 'string' && namePattern.test(name);
}

/** Checks the content of a manifest.json; `folder` is the name of its folder. Throws with all mistakes. */
export function checkManifest(value: unknown, folder: string, file: string, source = ''): Manifest {
  const found: AddonError[] = [];
  /** `word` is in the line that is wrong. */
  const report = (word: string, message: string, hint?: string): void => {
    found.push(new AddonError({ addon: folder, file, ...lineWith(source, word) }, message, hint));
  };
  const given = typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown> | null) : null;
  if (given === null) throw new AddonError({ addon: folder, file }, 'The manifest is not an object.');
  for (const [key, content] of Object.entries(given)) {
    const expected = Object.hasOwn(expectedOf, key) ? expectedOf[key as ManifestKey] : null;
    if (!expected) report(key, `Unknown key "${key}".`, chooseOne(key, Object.keys(expectedOf)));
    else if (!fits(content, expected))
      report(key, `"${key}" must be ${wording[expected]}, not ${JSON.stringify(content)}.`);
  }
  for (const key of mandatory) if (!given[key]) report('', `"${key}" is missing.`);
  if (found.length === 0) checkValues(given as unknown as ManifestFile, folder, report);
  const [first, ...also] = found;
  if (first) {
    first.also = also;
    throw first;
  }
  const needs = ((given.depends ?? []) as readonly string[]).map(splitNeed);
  const ranges = Object.fromEntries(needs.flatMap(({ name, range }) => (range === undefined ? [] : [[name, range]])));
  return Object.freeze({
    ...blank,
    ...given,
    depends: Object.freeze(needs.map(({ name }) => name)),
    ranges: Object.freeze(ranges),
  } as Manifest);
}

type Say = (word: string, message: string, hint?: string) => void;

function checkValues({ name, version, kontor, depends = [] }: ManifestFile, folder: string, report: Say): void {
  if (!isAddonName(name)) report('name', `"${name}" is not an addon name: a-z, 0-9 and _, beginning with a letter.`);
  else if (name !== folder) report('name', `The name "${name}" is not the folder's name "${folder}".`);
  if (!versionPattern.test(version)) report('version', `The version "${version}" is not like 1.0.2.`);
  if (kontor !== undefined && !isVersionRange(kontor))
    report('kontor', `"kontor" must be a range of versions such as "^0.1", not "${kontor}".`);
  const names = depends.map((need) => splitNeed(need).name);
  const repeated = names.find((each, index) => names.indexOf(each) !== index);
  if (repeated) report('depends', `"${repeated}" is twice in "depends".`);
}

/** The line of a manifest's source that has a word; none if it is unknown. */
function lineWith(source: string, word: string): { readonly line?: number } {
  const at = word === '' ? -1 : source.split('\n').findIndex((line) => line.includes(`"${word}`));
  return at < 0 ? {} : { line: at + 1 };
}

/** The place of a word in the manifest of an addon on disk. */
export function placeInManifest({ name, folder }: { name: string; folder: string }, word: string) {
  const file = 'manifest.json';
  const source = existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'utf8') : '';
  return { addon: name, file, ...lineWith(source, word) };
}

/** `sale@^0.1` means the addon sale in a version of that range. */
function splitNeed(need: string): { readonly name: string; readonly range?: string } {
  const at = need.indexOf('@');
  return at < 0 ? { name: need } : { name: need.slice(0, at), range: need.slice(at + 1) };
}

function isNeed(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const { name, range } = splitNeed(value);
  return isAddonName(name) && (range === undefined || isVersionRange(range));
}

const blank: Omit<Manifest, 'name' | 'label' | 'version' | 'depends' | 'ranges'> = {
  kontor: '',
  application: false,
  category: '',
  summary: '',
  author: '',
  icon: '',
  auto_install: false,
  required: false,
};

function fits(value: unknown, expected: Expected): boolean {
  if (expected === 'text') return typeof value === 'string';
  if (expected === 'flag') return typeof value === 'boolean';
  return Array.isArray(value) && value.every(isNeed);
}

/** Rejects an addon for other versions of Kontor. */
export function checkKontorRange({ name, kontor }: Manifest): void {
  const version = kontorVersion();
  if (kontor === '' || isInRange(version, kontor)) return;
  throw new AddonError(
    { addon: name, file: 'manifest.json' },
    `It requires Kontor ${kontor}, but this is Kontor ${version}.`,
    'Install a version of it that is made for this one, or change "kontor" once its tests pass here.',
  );
}

/** Rejects an addon that requires other versions of a dependency than the present one. */
export function checkAddonRange({ name, ranges }: Manifest, needed: Manifest): void {
  const range = ranges[needed.name];
  if (range === undefined || isInRange(needed.version, range)) return;
  throw new AddonError(
    { addon: name, file: 'manifest.json' },
    `"${name}" asks for ${needed.name} ${range}, and here is ${needed.name} ${needed.version}.`,
    `Add a version of ${needed.name} in that range, or one of ${name} that works with this ${needed.name}.`,
  );
}

/** The manifest of an addon's folder, or null if the folder is not an addon. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const file = join(folder, 'manifest.json');
  const name = basename(folder);
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw new AddonError({ addon: name, file }, `The manifest cannot be read (${error.code}).`);
  });
  return text === null ? null : checkManifest(parse(text, name, file), name, file, text);
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
