import type { Model } from '../model/model.ts';
import type { Problems } from './problems.ts';

/** Two models, or a model and a many2many, must not share a table. */
export function checkTables(models: Iterable<Model>, problems: Problems): void {
  const owners = new Map<string, string>();
  const all = [...models];
  for (const model of all) {
    const other = owners.get(model.table);
    if (other === undefined) owners.set(model.table, model.name);
    else
      problems.add(
        { module: model.module, model: model.name },
        `its table ${model.table} is already that of ${other}.`,
      );
  }
  for (const model of all) {
    for (const { through, module, name } of model.fields.values()) {
      const other = through && owners.get(through.table);
      if (other) {
        problems.add(
          { module, model: model.name, field: name },
          `its table ${through.table} is already that of ${other}.`,
        );
      }
    }
  }
}
