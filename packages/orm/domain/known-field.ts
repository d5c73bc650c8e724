import { didYouMean, invalidArgs, nearest } from '@kontor/protocol';
import type { Field, Model } from '../model/model.ts';

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
