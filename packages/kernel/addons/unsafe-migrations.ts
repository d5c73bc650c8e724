import { dueMigrations, type Queryable, unsafeStatements } from '@kontor/database';
import { addonOf, type Catalogue } from './catalogue.ts';
import { readMigrations } from './install-modules.ts';

/** Migrations that an upgrade of these modules would run, and that processes of the version before do not outlive. */
export async function unsafeMigrations(
  db: Queryable,
  catalogue: Catalogue,
  modules: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const module of modules) {
    const due = await dueMigrations(db, module, await readMigrations(addonOf(catalogue, module)));
    for (const file of due) {
      for (const { line, why } of unsafeStatements(file))
        found.push(`${module}/migrations/${file.name}:${line} ${why}`);
    }
  }
  return found;
}
