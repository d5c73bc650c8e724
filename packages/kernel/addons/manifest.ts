import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { didYouMean } from '@kontor/protocol';
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

/** Checks the content of a manifest.json; `folder` is the name of its folder. */
export function checkManifest(value: unknown, folder: string, file: string): Manifest {
  const fail = (message: string, hint?: string): never => {
    throw new AddonError({ addon: folder, file }, message, hint);
  };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail('The manifest is not an object.');
  const given = value as Record<string, unknown>;
  for (const [key, content] of Object.entries(given)) {
    if (!Object.hasOwn(expectedOf, key)) fail(`Unknown key "${key}".`, didYouMean(key, Object.keys(expectedOf)));
    const expected = expectedOf[key as ManifestKey];
    if (!fits(content, expected)) fail(`"${key}" must be ${wording[expected]}, not ${JSON.stringify(content)}.`);
  }
  for (const key of mandatory) if (!given[key]) fail(`"${key}" is missing.`);
  if (!isAddonName(given.name)) fail(`"${given.name}" is not an addon name: a-z, 0-9 and _, beginning with a letter.`);
  if (given.name !== folder) fail(`The name "${given.name}" is not the folder's name "${folder}".`);
  if (!versionPattern.test(given.version as string)) fail(`The version "${given.version}" is not like 1.0.2.`);
  if (given.kontor !== undefined && !isVersionRange(given.kontor as string))
    fail(`"kontor" must be a range of versions such as "^0.1", not "${given.kontor}".`);
  const needs = ((given.depends ?? []) as readonly string[]).map(splitNeed);
  const depends = needs.map(({ name }) => name);
  const repeated = depends.find((name, index) => depends.indexOf(name) !== index);
  if (repeated) fail(`"${repeated}" is twice in "depends".`);
  const ranges = Object.fromEntries(needs.flatMap(({ name, range }) => (range === undefined ? [] : [[name, range]])));
  return Object.freeze({
    ...blank,
    ...given,
    depends: Object.freeze(depends),
    ranges: Object.freeze(ranges),
  } as Manifest);
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
