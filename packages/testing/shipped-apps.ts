import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kontorRoot } from './place.ts';

const folder = join(kontorRoot, 'addons');

/** Every addon of the source tree that is not there from the start: a new one is tried with the others. */
export function shippedApps(): readonly string[] {
  const isApp = (name: string) =>
    (JSON.parse(readFileSync(join(folder, name, 'manifest.json'), 'utf8')) as { required?: boolean }).required !== true;
  return readdirSync(folder).filter(isApp).sort();
}
