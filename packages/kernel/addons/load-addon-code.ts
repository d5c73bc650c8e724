import { relative } from 'node:path';
import { AddonError, type Place } from './addon-error.ts';
import { placeOfError } from './author-places.ts';
import { compileClient } from './browser/compile-client.ts';
import type { Addon } from './catalogue.ts';
import { type CompiledAddon, type CompileOptions, compileAddon } from './compile-addon.ts';
import { type AddonDefinition, emptyAddon } from './define-addon.ts';

export interface CodeOptions extends CompileOptions {
  /** Code of an addon that is part of the server's build. */
  readonly shippedLoader: (name: string) => Promise<AddonDefinition>;
  /** Told where the compiled code of an addon from outside lies, for those that import it. */
  readonly keepUrl?: (name: string, url: string) => void;
}

/** What an addon's `addon.ts` exports; nothing for an addon of data only. */
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
    throw importError(placeOf(addon, error), error);
  }
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

/** The author's file and line behind the topmost frame that lies in the compiled file. */
function placeOf(addon: Addon, error: unknown): Place {
  const place = placeOfError(error);
  if (!place) return { addon: addon.name, file: 'addon.ts' };
  return { addon: addon.name, file: relative(addon.folder, place.file), line: place.line };
}
