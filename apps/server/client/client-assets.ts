import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Addresses of what the client's page loads. */
export interface ClientAssets {
  readonly script: string;
  readonly styles: readonly string[];
  /** What the script imports, so that the browser need not find out one after the other. */
  readonly preloads: readonly string[];
}

interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}
type Manifest = Readonly<Record<string, ManifestEntry>>;

export const staticPath = '/web/static/';

/** Reads the manifest of the client's build again whenever it changed; null while there is none. */
export function watchClientAssets(folder: string): () => Promise<ClientAssets | null> {
  const file = join(folder, 'manifest.json');
  let known: { readonly at: number; readonly assets: ClientAssets | null } = { at: -1, assets: null };
  return async () => {
    const at = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => -1,
    );
    if (at !== known.at) known = { at, assets: at < 0 ? null : toAssets(JSON.parse(await readFile(file, 'utf8'))) };
    return known.assets;
  };
}

function toAssets(manifest: Manifest): ClientAssets | null {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  if (!entry) return null;
  const imported = importsOf(manifest, entry, new Set());
  const address = (path: string) => `${staticPath}${path}`;
  return {
    script: address(entry.file),
    styles: [...new Set([...imported, entry].flatMap(({ css = [] }) => css))].map(address),
    preloads: imported.map(({ file }) => address(file)),
  };
}

function importsOf(manifest: Manifest, { imports = [] }: ManifestEntry, seen: Set<string>): readonly ManifestEntry[] {
  return imports.flatMap((name) => {
    const entry = manifest[name];
    if (!entry || seen.has(name)) return [];
    seen.add(name);
    return [...importsOf(manifest, entry, seen), entry];
  });
}
