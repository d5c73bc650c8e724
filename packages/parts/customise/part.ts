import { finishSchema } from '@kontor/database';
import {
  customModule,
  definePart,
  deletedDays,
  deletedParts,
  dropDeleted,
  dropDeletedModel,
  fillPending,
  lockModules,
} from '@kontor/kernel';
import { tableSpecs } from '@kontor/orm';

/** Changes of models and screens by administrators. */
export const customisePart = definePart({
  name: 'customise',
  jobs: [
    {
      name: 'finish_added_fields',
      async runAsSystem(runtime, signal) {
        await finishSchema(runtime.database, tableSpecs(runtime.registry, [customModule]), signal);
        await fillPending(runtime, signal);
      },
    },
    {
      name: 'drop_deleted_fields',
      async runAsSystem({ database, registry }) {
        const oldest = Date.now() - deletedDays * 86_400_000;
        await database.transaction(async (tx) => {
          await lockModules(tx);
          const { fields, models } = await deletedParts(tx);
          for (const field of fields) if (field.at.getTime() < oldest) await dropDeleted(tx, registry, field);
          for (const model of models) if (model.at.getTime() < oldest) await dropDeletedModel(tx, registry, model);
        });
      },
    },
  ],
});
