import { AddonError, type Place } from '../addon-error.ts';

const ownPattern = /^[A-Za-z_][A-Za-z0-9_-]{0,127}$/;
const fullPattern = /^[a-z][a-z0-9_]*\.[A-Za-z_][A-Za-z0-9_-]{0,127}$/;

/** The full external id of a record that a file defines; its module is always the file's own. */
export function ownExternalId(name: string, place: Place): string {
  const bare = name.startsWith(`${place.addon}.`) ? name.slice(place.addon.length + 1) : name;
  if (bare.includes('.'))
    throw new AddonError(place, `"${name}" belongs to another addon; records of others are theirs.`);
  if (!ownPattern.test(bare)) throw new AddonError(place, `"${name}" is not an external id: letters, digits, _ and -.`);
  return `${place.addon}.${bare}`;
}

/** The full external id of a reference: bare names belong to the same addon. */
export function referredId(name: string, place: Place): string {
  const full = name.includes('.') ? name : `${place.addon}.${name}`;
  if (!fullPattern.test(full)) throw new AddonError(place, `"${name}" is not an external id such as base.group_user.`);
  return full;
}

/** `a, module.b` as full external ids. */
export function referredIds(names: string, place: Place): readonly string[] {
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => referredId(name, place));
}
