import { ident, sql } from '@kontor/database';
import { definePart, deletedDays, deletedFields, leftoverOf, lockModules } from '@kontor/kernel';

/** Changes of models and screens by administrators. */
export const customisePart = definePart({
  name: 'customise',
  jobs: [
    {
      name: 'drop_deleted_fields',
      async runAsSystem({ database, registry }) {
        const oldest = Date.now() - deletedDays * 86_400_000;
        await database.transaction(async (tx) => {
          await lockModules(tx);
          for (const field of await deletedFields(tx)) {
            const left = field.at.getTime() < oldest ? leftoverOf(registry, field) : null;
            if (left)
              await tx.execute(sql`alter table ${ident(left.table)} drop column if exists ${ident(left.column)}`);
          }
        });
      },
    },
  ],
});
