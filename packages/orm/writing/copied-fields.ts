import { mayReadField } from '../access/field-access.ts';
import { sequenceCode } from '../defaults/apply-defaults.ts';
import type { Env, Field, Model } from '../model/model.ts';

const systemFields: ReadonlySet<string> = new Set(['id', 'create_date', 'create_uid', 'write_date', 'write_uid']);

/** The fields whose values go into a copy and that the caller may read. */
export function copiedFields(env: Env, model: Model): readonly Field[] {
  return [...model.fields.values()].filter((field) => isCopied(model, field) && mayReadField(env, field));
}

/** What is worked out, numbered, moved or must be unique is made anew; lines come along only where the author says so. */
function isCopied(model: Model, field: Field): boolean {
  const { spec } = field;
  if (systemFields.has(field.name) || field.compute !== null || field.related !== null) return false;
  if (!field.isStored && !field.kind.isList) return false;
  if (spec.secret || (spec.computed && !field.isEditable)) return false;
  if (spec.copy !== undefined) return spec.copy;
  if (isPlace(model, field)) return false;
  return !field.kind.isLines && !isUnique(model, field) && sequenceCode(field) === null;
}

/** A copy begins where new records do. */
function isPlace({ states }: Model, { name }: Field): boolean {
  return states !== null && [states.field, states.stages?.field, states.stages?.before].includes(name);
}

/** Whether a copy is told from its original by its name. */
export function hasCopyName(model: Model): boolean {
  const field = model.fields.get('name');
  return field?.kind.isShort === true && !isUnique(model, field) && sequenceCode(field) === null;
}

function isUnique(model: Model, field: Field): boolean {
  return (
    field.spec.unique === true ||
    model.uniques.some(({ fields, where }) => !where && fields.length === 1 && fields[0] === field.name)
  );
}
