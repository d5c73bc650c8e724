import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { type Addon, type Config, checkAddons, type Finding, inOrder } from '@kontor/kernel';
import { systemParts } from '@kontor/parts';
import { type KnownNames, viewsSchema } from '@kontor/views';
import { unpackAddon } from '../added/unpack-addon.ts';
import { addonLoader, addonRoots, clientIcons } from '../addon-code.ts';
import { checkTypes, newErrors } from './check-types.ts';

export interface AddonCheckOptions {
  readonly asJson: boolean;
  readonly withTypes: boolean;
  /** Where the XML schema for editors is written; undefined: nowhere. */
  readonly schema: string | undefined;
  /** The tarball of an earlier version to be upgraded to this one. */
  readonly from: string | undefined;
}

/** Checks the addons of a folder without a database, prints the findings and returns them. */
export async function checkAddonFolder(
  config: Config,
  given: string,
  options: AddonCheckOptions,
): Promise<readonly LocatedFinding[]> {
  const folder = resolve(given);
  const began = performance.now();
  const earlier = options.from === undefined ? null : await unpackAddon(options.from);
  const { addons, findings, names } = await checkAddons({
    ...(earlier && { earlier: earlier.folder }),
    roots: addonRoots(config),
    folder,
    codeOf: addonLoader({ ...config, dataDir: cacheOf(folder) }),
    parts: systemParts,
    icons: clientIcons(),
  });
  await earlier?.remove();
  const types = options.withTypes ? await Promise.all(addons.map(checkTypes)) : [];
  const untyped = addons.filter((_, at) => types[at] === null).map(({ name }) => name);
  const typed = types.flatMap((found, at) => {
    const own = findings.filter(({ addon }) => addon === addons[at]?.name);
    return newErrors(found ?? [], own);
  });
  const all = inOrder([...findings, ...typed]).map((finding) => ({
    ...finding,
    path: pathOf(finding, addons, folder),
  }));
  if (options.schema !== undefined && names.fields) writeSchema(options.schema, names);
  const errors = all.filter(({ severity }) => severity === 'error').length;
  if (options.asJson) console.log(JSON.stringify({ ok: errors === 0, findings: all }, null, 2));
  else tell(all, errors, addons, Math.round(performance.now() - began));
  if (!options.asJson && untyped.length > 0) {
    console.log(
      `Types of ${untyped.join(', ')} were not checked: that takes a tsconfig.json and TypeScript beside it.`,
    );
  }
  return all;
}

export interface LocatedFinding extends Finding {
  readonly path: string;
}

export function hasError(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function tell(findings: readonly LocatedFinding[], errors: number, addons: readonly Addon[], tookMs: number): void {
  for (const { path, line, severity, message, fix } of findings) {
    console.log(`${path}:${line}: ${severity === 'warning' ? 'warning: ' : ''}${message}${fix ? `\n    ${fix}` : ''}`);
  }
  const names = addons.map(({ name }) => name).join(', ') || 'nothing';
  const warnings = findings.length - errors;
  const result = errors === 0 ? 'no error' : errors === 1 ? '1 error' : `${errors} errors`;
  console.log(`${names}: ${result}${warnings > 0 ? `, ${warnings} warnings` : ''} (${(tookMs / 1000).toFixed(1)} s)`);
}

/** Relative to the current directory, so that a terminal can open it. */
function pathOf({ addon, file }: Finding, addons: readonly Addon[], folder: string): string {
  const home = addons.find(({ name }) => name === addon)?.folder ?? folder;
  return relative(process.cwd(), resolve(home, file)) || file;
}

/** The XML schema for completion in editors, if it has changed. */
export function writeSchema(file: string, names: KnownNames): void {
  const schema = viewsSchema(names);
  if (existsSync(file) && readFileSync(file, 'utf8') === schema) return;
  mkdirSync(dirname(resolve(file)), { recursive: true });
  writeFileSync(file, schema);
}

/** Beside the author's packages, where caches are expected. */
export function cacheOf(folder: string): string {
  const packages = join(folder, 'node_modules');
  return existsSync(packages) ? join(packages, '.cache/kontor') : join(tmpdir(), 'kontor-check');
}
