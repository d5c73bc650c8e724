import { didYouMean } from '@kontor/protocol';
import { AddonError, type Place } from './addon-error.ts';
import type { Manifest } from './manifest.ts';

/** One addon as found on disk. */
export interface Addon {
  readonly name: string;
  readonly folder: string;
  /** Comes with the server and is part of its build; others are compiled when they are loaded. */
  readonly isShipped: boolean;
  readonly manifest: Manifest;
  readonly hasCode: boolean;
  /** Its origin, if `kontor add` or an administrator added it. */
  readonly added?: AddedNote;
}

export interface AddedNote {
  /** The file, the folder or the package and its version. */
  readonly from: string;
  /** SHA-512 of the tarball, as npm writes it. */
  readonly integrity: string;
  readonly at: string;
}

/** Every addon that could be installed, by name. */
export type Catalogue = ReadonlyMap<string, Addon>;

/** The kernel's own models belong to it, so every other module depends on it. */
export const baseModule = 'base';

export function addonOf(catalogue: Catalogue, name: string, place: Place = { addon: name }): Addon {
  const addon = catalogue.get(name);
  if (!addon) throw new AddonError(place, `There is no addon "${name}".`, didYouMean(name, catalogue.keys()));
  return addon;
}

/** Declared dependencies, and the base module. */
export function dependsOf(addon: Addon, catalogue: Catalogue): readonly string[] {
  const { depends } = addon.manifest;
  if (addon.name === baseModule || depends.includes(baseModule) || !catalogue.has(baseModule)) return depends;
  return [baseModule, ...depends];
}

export const addonFilesPath = '/web/addon/';

/** A manifest names one of the client's icons, or an image in the addon's folder. */
export function addonIcon({ name, manifest }: Addon): string {
  return isPicture(manifest.icon) ? `${addonFilesPath}${name}/${manifest.icon}` : manifest.icon;
}

export function isPicture(icon: string): boolean {
  return /^[a-z0-9_/-]+\.(svg|png|webp)$/i.test(icon);
}
