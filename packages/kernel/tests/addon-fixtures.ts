import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Files by path; a manifest may be given as an object without its name, label and version. */
export interface AddonFiles {
  readonly manifest?: object;
  readonly [path: string]: string | object | undefined;
}

/** A folder of addons that goes away with the test. */
export function addonFolder(addons: Readonly<Record<string, AddonFiles>> = {}): string {
  const root = mkdtempSync(join(tmpdir(), 'kontor-addons-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, files] of Object.entries(addons)) writeAddon(root, name, files);
  return root;
}

export function writeAddon(root: string, name: string, files: AddonFiles): string {
  const folder = join(root, name);
  const { manifest, ...rest } = files;
  const whole = { name, label: name, version: '1.0', ...manifest };
  writeFile(join(folder, 'manifest.json'), JSON.stringify(whole));
  for (const [path, content] of Object.entries(rest)) writeFile(join(folder, path), content as string);
  return folder;
}

function writeFile(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
