import { didYouMean, invalidArgs, nearest } from '@kontor/protocol';
import type { Field, Model, Registry } from '../model/model.ts';

/** The field of that name; throws INVALID_ARGS with the nearest valid name. */
export function knownField(model: Model, name: string): Field {
  const field = model.fields.get(name);
  if (field !== undefined) return field;
  const names = [...model.fields.keys()];
  const hint = nearest(name, names);
  throw invalidArgs(`${model.name} has no field "${name}".${didYouMean(name, names)}`, {
    model: model.name,
    field: name,
    ...(hint === null ? {} : { hint }),
  });
}

/** The model of a relation; throws INVALID_ARGS if the field is not a relation. */
export function relatedModel(registry: Registry, field: Field): Model {
  const { relation } = field.spec;
  if (relation === undefined) {
    throw invalidArgs(`${field.model}.${field.name} is not a relation: a path cannot go through it.`, {
      field: field.name,
    });
  }
  return registry.model(relation);
}
