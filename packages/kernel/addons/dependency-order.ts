import { didYouMean } from '@kontor/protocol';
import { AddonError } from './addon-error.ts';
import { type Addon, addonOf, type Catalogue, dependsOf } from './catalogue.ts';
import { checkAddonRange, placeInManifest } from './manifest.ts';

/**
 * The given addons and their dependencies, dependencies first. Addons of one depth are sorted by name, so that the order of two
 * addons never changes because of a third.
 */
export function dependencyOrder(catalogue: Catalogue, names: Iterable<string>): readonly string[] {
  const depths = new Map<string, number>();
  for (const name of names) depthOf(name, [], catalogue, depths);
  return [...depths.keys()].sort((a, b) => (depths.get(a) as number) - (depths.get(b) as number) || (a < b ? -1 : 1));
}

function depthOf(name: string, chain: readonly string[], catalogue: Catalogue, depths: Map<string, number>): number {
  const known = depths.get(name);
  if (known !== undefined) return known;
  if (chain.includes(name)) {
    const circle = [...chain.slice(chain.indexOf(name)), name].join(' → ');
    throw new AddonError(
      { addon: name, file: 'manifest.json' },
      `The addons depend on each other in a circle: ${circle}.`,
    );
  }
  const addon = requireAddon(name, chain, catalogue);
  for (const needed of dependsOf(addon, catalogue)) {
    const other = catalogue.get(needed);
    if (other) checkAddonRange(addon.manifest, other.manifest);
  }
  const below = dependsOf(addon, catalogue).map((next) => depthOf(next, [...chain, name], catalogue, depths));
  const depth = 1 + Math.max(0, ...below);
  depths.set(name, depth);
  return depth;
}

function requireAddon(name: string, chain: readonly string[], catalogue: Catalogue): Addon {
  const parent = chain.at(-1);
  if (parent === undefined || catalogue.has(name)) return addonOf(catalogue, name);
  const message = `Depends on "${name}", which is not there (${[...chain, name].join(' → ')}).`;
  const place = placeInManifest(addonOf(catalogue, parent), name);
  throw new AddonError(place, message, didYouMean(name, catalogue.keys()));
}
