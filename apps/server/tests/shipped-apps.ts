import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../../../addons/', import.meta.url);

/** Every addon that comes with the server and is not there from the start: a new one is tried with the others. */
export const shippedApps: readonly string[] = readdirSync(folder)
  .filter((name) => {
    const manifest = JSON.parse(readFileSync(new URL(`${name}/manifest.json`, folder), 'utf8')) as {
      required?: boolean;
    };
    return manifest.required !== true;
  })
  .sort();
