import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type AddedNote,
  type Addon,
  addedNoteFile,
  type Catalogue,
  type Config,
  discoverAddons,
  isOlder,
} from '@kontor/kernel';
import { KontorError, text } from '@kontor/protocol';
import { addedFolder, addonRoots } from '../addon-code.ts';
import { checkFit, checkUnneeded } from './check-fit.ts';
import type { PackedAddon } from './read-package.ts';

/**
 * `addons/library` is a link to `addons/.versions/library/1.2.0-…/library`. A version is written completely beside the others and
 * the link is replaced atomically, so that every process sees one or the other, and running code keeps its files.
 */
const versions = '.versions';
/** A folder without a link may belong to a process that is about to set the link. */
const graceMs = 600_000;

export interface Placed {
  readonly name: string;
  readonly version: string;
  /** The previous version; null: none. */
  readonly before: string | null;
  readonly integrity: string;
}

/** Puts addons where every process finds them, all or none. It does not install them. */
export async function addAddons(
  config: Config,
  packed: readonly PackedAddon[],
  {
    mayBeOlder = false,
    check,
  }: { readonly mayBeOlder?: boolean; readonly check?: (() => Promise<void>) | undefined } = {},
): Promise<readonly Placed[]> {
  const catalogue = await discoverAddons(addonRoots(config));
  const manifests = packed.map(({ manifest }) => manifest);
  checkFit(manifests, catalogue);
  if (!mayBeOlder) for (const manifest of manifests) checkNewer(manifest, catalogue);
  await check?.();
  const folder = addedFolder(config);
  const written = await Promise.all(packed.map((each) => writeVersion(folder, each)));
  const placed: Placed[] = [];
  for (const [index, { manifest, integrity }] of packed.entries()) {
    const { name, version } = manifest;
    const before = catalogue.get(name)?.manifest.version ?? null;
    await link(folder, name, written[index] as string);
    placed.push({ name, version, before, integrity });
  }
  return placed;
}

/** A database that a newer version upgraded may contain what an older one does not know. */
function checkNewer({ name, version }: PackedAddon['manifest'], catalogue: Catalogue): void {
  const there = catalogue.get(name)?.manifest.version;
  if (there === undefined || !isOlder(version, there)) return;
  throw new KontorError(
    'USER_ERROR',
    text('"{name}" {there} is already present, which is newer than {version}.', { name, there, version }),
  );
}

/** Removes an added addon from the disk. The caller checks whether it is in use. */
export async function removeAdded(config: Config, name: string): Promise<void> {
  const catalogue = await discoverAddons(addonRoots(config));
  addedOf(catalogue, name);
  checkUnneeded(name, catalogue);
  const folder = addedFolder(config);
  await rm(join(folder, name));
  await rm(join(folder, versions, name), { recursive: true, force: true });
}

export function addedOf(catalogue: Catalogue, name: string): Addon {
  const addon = catalogue.get(name);
  if (addon?.added) return addon;
  const words = addon
    ? text('"{name}" was not added: it comes with Kontor, or from a folder in addons_path.', { name })
    : text('There is no addon "{name}" here.', { name });
  throw new KontorError('USER_ERROR', words);
}

/** The target of the link, relative to the folder of all addons. */
async function writeVersion(folder: string, { manifest, files, integrity, from }: PackedAddon): Promise<string> {
  const { name, version } = manifest;
  const home = join(folder, versions, name);
  const mark = createHash('sha256').update(integrity).digest('hex').slice(0, 12);
  const target = join(home, `${version}-${mark}`);
  const partial = join(home, `.${randomUUID()}`);
  try {
    for (const [path, content] of files) {
      const file = join(partial, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content, { mode: 0o644, flag: 'wx' });
    }
    const note: AddedNote = { from, integrity, at: new Date().toISOString() };
    await writeFile(join(partial, addedNoteFile), `${JSON.stringify(note, null, 2)}\n`);
    await rename(partial, target).catch((error: NodeJS.ErrnoException) => {
      // The same tarball exists already.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return join(versions, name, basename(target), name);
}

async function link(folder: string, name: string, target: string): Promise<void> {
  const place = join(folder, name);
  const before = await readlink(place).catch(() => null);
  const fresh = join(folder, `.${randomUUID()}`);
  await symlink(target, fresh);
  await rename(fresh, place);
  await sweep(join(folder, versions, name), [target, before ?? target]);
}

/** Keeps the version in use and the one before it. */
async function sweep(home: string, kept: readonly string[]): Promise<void> {
  const names = new Set(kept.map((target) => basename(dirname(target))));
  for (const name of await readdir(home)) {
    const { mtimeMs } = await stat(join(home, name));
    if (names.has(name) || Date.now() - mtimeMs < graceMs) continue;
    await rm(join(home, name), { recursive: true, force: true });
  }
}
