import { dueJoins, dueMigrations, dueRenames, type Queryable, unsafeStatements } from '@kontor/database';
import { type Registry, schemaRenames } from '@kontor/orm';
import { addonOf, type Catalogue } from './catalogue.ts';
import { readMigrations } from './install-modules.ts';

/** Migrations of these modules that break processes of the previous version. */
export async function unsafeMigrations(
  {
    database,
    catalogue,
    registry,
  }: { readonly database: Queryable; readonly catalogue: Catalogue; readonly registry: Registry },
  modules: readonly string[],
): Promise<readonly string[]> {
  const renames = schemaRenames(registry);
  const found = [...(await dueRenames(database, renames)), ...(await dueJoins(database, renames))];
  for (const module of modules) {
    const due = await dueMigrations(database, module, await readMigrations(addonOf(catalogue, module)));
    for (const file of due) {
      for (const { line, why } of unsafeStatements(file))
        found.push(`${module}/migrations/${file.name}:${line} ${why}`);
    }
  }
  return found;
}
