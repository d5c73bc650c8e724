import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { didYouMean } from '@kontor/protocol';
import { AddonError, type Place } from './addon-error.ts';
import { placeOfError } from './author-places.ts';
import { compileClient } from './browser/compile-client.ts';
import type { Addon } from './catalogue.ts';
import { type CompiledAddon, type CompileOptions, compileAddon, filesUnder } from './compile-addon.ts';
import { type AddonDefinition, emptyAddon } from './define-addon.ts';

export interface CodeOptions extends CompileOptions {
  /** Code of an addon in the server's build. */
  readonly shippedLoader: (name: string) => Promise<AddonDefinition>;
  /** Receives the place of an external addon's compiled code, for addons that import it. */
  readonly keepUrl?: (name: string, url: string) => void;
}

/** The export of an addon's `addon.ts`; empty for an addon of data only. */
export async function loadAddonCode(addon: Addon, options: CodeOptions): Promise<AddonDefinition> {
  if (!addon.hasCode) return emptyAddon;
  if (addon.isShipped) return checkDefinition(addon, await loadShipped(addon, options));
  await compileClient(addon, options.cacheDir);
  const compiled = await compileAddon(addon, options);
  options.keepUrl?.(addon.name, compiled.url);
  return checkDefinition(addon, await importCompiled(addon, compiled));
}

async function loadShipped(addon: Addon, options: CodeOptions): Promise<unknown> {
  try {
    return await options.shippedLoader(addon.name);
  } catch (error) {
    throw importError({ addon: addon.name, file: 'addon.ts' }, error);
  }
}

async function importCompiled(addon: Addon, compiled: CompiledAddon): Promise<unknown> {
  try {
    const module = (await import(/* @vite-ignore */ compiled.url)) as { default?: unknown };
    return module.default;
  } catch (error) {
    throw (await missingName(addon, error)) ?? importError(placeOf(addon, error), error);
  }
}

const missingExport = /module '([^']+)' does not provide an export named '([^']+)'/;

/** An import that does not exist fails before any code runs: the author's line is found by its text. */
async function missingName(addon: Addon, error: unknown): Promise<AddonError | null> {
  const [, url, name] = missingExport.exec(error instanceof Error ? error.message : '') ?? [];
  if (url === undefined || name === undefined) return null;
  const word = `(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`;
  const importing = new RegExp(`(import\\s*\\{[^}]*?)${word}[^}]*\\}\\s*from\\s*['"](@[^'"]+)`);
  for (const path of (await filesUnder(addon.folder)).filter((each) => each.endsWith('.ts'))) {
    const source = await readFile(path, 'utf8');
    const found = importing.exec(source);
    if (!found) continue;
    const [, before = '', module] = found;
    const line = source.slice(0, found.index + before.length).split('\n').length;
    const known = Object.keys((await import(/* @vite-ignore */ url)) as object);
    const place = { addon: addon.name, file: relative(addon.folder, path), line };
    return new AddonError(place, `There is no "${name}" in "${module}".${didYouMean(name, known)}`);
  }
  return null;
}

function importError(place: Place, error: unknown): AddonError {
  if (error instanceof AddonError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const located = new AddonError(place, `The code fails when it is loaded: ${message}`);
  located.cause = error;
  return located;
}

function checkDefinition(addon: Addon, value: unknown): AddonDefinition {
  if ((value as AddonDefinition | undefined)?.kind === 'addon') return value as AddonDefinition;
  throw new AddonError({ addon: addon.name, file: 'addon.ts' }, 'The default export is not made by defineAddon().');
}

/** The author's file and line of the topmost frame in the compiled file. */
function placeOf(addon: Addon, error: unknown): Place {
  const place = placeOfError(error);
  if (!place) return { addon: addon.name, file: 'addon.ts' };
  return { addon: addon.name, file: relative(addon.folder, place.file), line: place.line };
}
