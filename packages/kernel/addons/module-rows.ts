import type { Env } from '@kontor/orm';
import type { Catalogue } from './catalogue.ts';
import type { InstallState } from './install-context.ts';
import { syncRows } from './sync-rows.ts';

/** Rows of sys.module: every addon of the catalogue, and its state. */
export async function writeModuleRows(
  env: Env,
  catalogue: Catalogue,
  states: ReadonlyMap<string, InstallState>,
): Promise<void> {
  const rows = [...catalogue.values()].map(({ name, manifest }) => ({
    name,
    label: manifest.label,
    version: manifest.version,
    state: states.get(name) ?? 'uninstalled',
    summary: manifest.summary || null,
    category: manifest.category || null,
    application: manifest.application,
    depends: manifest.depends,
    auto_install: manifest.auto_install,
    author: manifest.author || null,
    icon: manifest.icon || null,
  }));
  await syncRows(env, 'sys.module', ['name'], rows, { prune: true });
}
