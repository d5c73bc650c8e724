import type { TableRename } from '@kontor/database';
import type { Field, Model, Registry } from '../model/model.ts';
import { isSystemName, memberNameFault, modelNameFault } from '../model/names.ts';
import type { Problems } from './problems.ts';
import { ownThrough, tableName } from './through.ts';

/** Earlier names that a field or a model declares, the last one first. */
export function earlierNames({ was }: { readonly was?: string | readonly string[] }): readonly string[] {
  return typeof was === 'string' ? [was] : (was ?? []);
}

/** An earlier name that is in use again would take the data of its current owner. */
export function checkEarlierNames(models: ReadonlyMap<string, Model>, problems: Problems): void {
  const owners = new Map<string, string>();
  for (const model of models.values()) {
    const at = { module: model.module, model: model.name };
    for (const name of model.was) {
      const other = owners.get(name);
      if (modelNameFault(name) !== null) problems.add(at, `was "${name}": no model can have had this name.`);
      else if (models.has(name)) problems.add(at, `was "${name}", which is the name of a model.`);
      else if (other !== undefined) problems.add(at, `was "${name}", and so says ${other}.`);
      owners.set(name, model.name);
    }
    for (const name of model.joinedBy.filter((each) => !model.fields.get(each)?.column))
      problems.add(at, `it is joined by "${name}", which is no stored field.`);
    checkFields(model, problems);
  }
}

function checkFields(model: Model, problems: Problems): void {
  const owners = new Map<string, string>();
  for (const field of model.fields.values()) {
    for (const name of earlierNames(field.spec)) {
      const at = { module: field.module, model: model.name, field: field.name };
      const other = owners.get(name);
      if (isSystemName(name) || memberNameFault(name) !== null)
        problems.add(at, `was "${name}": no field can have had this name.`);
      else if (model.fields.has(name)) problems.add(at, `was "${name}", which is the name of a field.`);
      else if (other !== undefined) problems.add(at, `was "${name}", and so says "${other}".`);
      owners.set(name, field.name);
    }
    const { names } = field.spec;
    if (
      names !== undefined &&
      names !== 'model' &&
      ![...model.fields.values()].some(({ spec }) => spec.names === 'model')
    ) {
      const at = { module: field.module, model: model.name, field: field.name };
      problems.add(at, `it names fields, and no field of the record says of which model: give one names: 'model'.`);
    }
  }
}

/** Tables and columns with their possible names in a database of an earlier version. */
export function schemaRenames({ models }: Registry): TableRename[] {
  const renames: TableRename[] = [];
  for (const model of models.values()) {
    if (model.served) continue;
    const columns = [...model.fields.values()].flatMap((field) => {
      const from = earlierNames(field.spec);
      return field.column !== null && from.length > 0 ? [{ to: field.column, from }] : [];
    });
    if (model.was.length > 0 || columns.length > 0)
      renames.push({
        ...{ to: model.table, from: model.was.map(tableName), columns },
        ...(model.joinedBy.length > 0
          ? { joinedBy: model.joinedBy.flatMap((name) => model.fields.get(name)?.column ?? []) }
          : {}),
      });
    for (const field of model.fields.values()) {
      const through = throughRename(models, model, field);
      if (through) renames.push(through);
    }
  }
  return renames;
}

/** The table of a many2many is named after its field and both models. */
function throughRename(models: ReadonlyMap<string, Model>, model: Model, field: Field): TableRename | null {
  const { through, spec } = field;
  const relation = spec.relation ?? '';
  // A declared table keeps its name, and a shared one is renamed by the side it is named after.
  if (!through || spec.through || ownThrough(model.name, field.name, relation).table !== through.table) return null;
  const owners = [model.name, ...model.was];
  const names = [field.name, ...earlierNames(spec)];
  const targets = [relation, ...(models.get(relation)?.was ?? [])];
  if (owners.length + names.length + targets.length === 3) return null;
  const before = owners.flatMap((owner) =>
    names.flatMap((name) => targets.map((target) => ownThrough(owner, name, model.name === relation ? owner : target))),
  );
  const others = (key: 'table' | 'own' | 'other') => ({
    to: through[key],
    from: [...new Set(before.map((each) => each[key]))].filter((name) => name !== through[key]),
  });
  return { ...others('table'), columns: [others('own'), others('other')] };
}
