import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Addresses of the assets of the client's page. */
export interface ClientAssets extends PageFiles {
  readonly script: string;
  /** Assets of views that are loaded on demand, by type: a page that starts with one requests them at once. */
  readonly views: Readonly<Record<string, PageFiles>>;
}

interface PageFiles {
  readonly styles: readonly string[];
  /** Imported scripts, so that the browser need not discover them one after the other. */
  readonly preloads: readonly string[];
}

interface ManifestEntry {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly isDynamicEntry?: boolean;
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

const viewSource = /^apps\/web\/views\/([a-z]+)\/view\.tsx$/;

function toAssets(manifest: Manifest): ClientAssets | null {
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  if (!entry) return null;
  const address = (path: string) => `${staticPath}${path}`;
  const filesOf = (one: ManifestEntry) => {
    const imported = importsOf(manifest, one, new Set());
    const styles = [...new Set([...imported, one].flatMap(({ css = [] }) => css))].map(address);
    return { styles, preloads: imported.map(({ file }) => address(file)) };
  };
  const first = filesOf(entry);
  const views = Object.entries(manifest).flatMap(([name, view]) => {
    const [, type] = viewSource.exec(name) ?? [];
    if (type === undefined || !view.isDynamicEntry) return [];
    const { styles, preloads } = filesOf(view);
    const isOwn = (path: string) => ![address(entry.file), ...first.styles, ...first.preloads].includes(path);
    return [
      [type, { styles: styles.filter(isOwn), preloads: [...preloads, address(view.file)].filter(isOwn) }] as const,
    ];
  });
  return { script: address(entry.file), ...first, views: Object.fromEntries(views) };
}

function importsOf(manifest: Manifest, { imports = [] }: ManifestEntry, seen: Set<string>): readonly ManifestEntry[] {
  return imports.flatMap((name) => {
    const entry = manifest[name];
    if (!entry || seen.has(name)) return [];
    seen.add(name);
    return [...importsOf(manifest, entry, seen), entry];
  });
}
