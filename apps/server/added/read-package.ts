import { createHash } from 'node:crypto';
import { checkManifest, type Manifest } from '@kontor/kernel';
import { KontorError, text } from '@kontor/protocol';
import { type PackedFiles, readTarball } from './read-tarball.ts';

/** An addon in a tarball, whose compatibility is not checked yet. */
export interface PackedAddon {
  readonly manifest: Manifest;
  readonly files: PackedFiles;
  readonly integrity: string;
  /** Its source: a file, a folder or a package. */
  readonly from: string;
}

export async function readPackage(tarball: Buffer, from: string): Promise<PackedAddon> {
  const files = await readTarball(tarball);
  const manifest = manifestIn(files);
  checkBrings(files, manifest.name);
  return { manifest, files, integrity: integrityOf(tarball), from };
}

export function integrityOf(tarball: Buffer): string {
  return `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
}

function manifestIn(files: PackedFiles): Manifest {
  const file = files.get('manifest.json');
  if (!file) throw new KontorError('USER_ERROR', text('There is no manifest.json in it: this is not an addon.'));
  const value = jsonOf(file);
  const name = (value as { readonly name?: unknown } | null)?.name;
  return checkManifest(value, typeof name === 'string' ? name.slice(0, 80) : '', 'manifest.json');
}

/** Nothing is fetched for an addon, and no script of a package runs: the tarball contains everything its code imports. */
function checkBrings(files: PackedFiles, name: string): void {
  const missing = missingPackages(jsonOf(files.get('package.json')), (each) => files.has(each));
  if (missing.length === 0) return;
  throw new KontorError(
    'USER_ERROR',
    text('"{name}" needs packages that it does not include: {packages}. Pack it with "bundleDependencies": true.', {
      name,
      packages: missing.join(', '),
    }),
  );
}

/** Packages that a package.json requires and that are not beside it. */
export function missingPackages(manifest: unknown, isThere: (path: string) => boolean): readonly string[] {
  const { dependencies } = (manifest ?? {}) as { readonly dependencies?: Readonly<Record<string, unknown>> };
  const names = Object.keys(dependencies ?? {}).map((each) => each.slice(0, 214));
  return names.filter((each) => !isThere(`node_modules/${each}/package.json`));
}

function jsonOf(file: Buffer | undefined): unknown {
  try {
    return JSON.parse((file ?? Buffer.from('null')).toString('utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new KontorError('USER_ERROR', text('This is not a tarball of an npm package (.tgz).'));
  }
}
