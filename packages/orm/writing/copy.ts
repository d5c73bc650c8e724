import { mayReadField } from '../access/field-access.ts';
import { checkModelAccess } from '../access/model-access.ts';
import { sequenceCode } from '../defaults/apply-defaults.ts';
import { checkFieldAccess, checkShape } from '../given/check-names.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { Values, WireRecord, X2manyCommand } from '../model/records.ts';
import { checkIds } from '../reading/check-records.ts';
import { read } from '../reading/read.ts';

/** A name without room for the suffix cannot be changed. */
const leastNameSize = 12;

/** Creates a record from the values of another, with the caller's rights; overrides win. */
export async function copy(env: Env, model: Model, id: number, overrides: Values = {}): Promise<number> {
  checkIds(model, [id]);
  checkShape(model, overrides);
  checkModelAccess(env, model, 'create');
  checkFieldAccess(env, model, Object.keys(overrides));
  const [values] = await copiedValues(env, model, [id], new Set(Object.keys(overrides)));
  const named = { ...values, ...(await copyName(env, model, values as Values)) };
  // Copied fields may be readonly for the caller; overridden ones may not.
  return env
    .outside(false)
    .model(model.name)
    .create({ ...named, ...overrides });
}

/** Values of new records, one for each id, with the copied lines as commands. */
async function copiedValues(
  env: Env,
  model: Model,
  ids: readonly number[],
  except: ReadonlySet<string>,
): Promise<Record<string, unknown>[]> {
  const fields = copiedFields(env, model).filter((field) => !except.has(field.name));
  const records = await read(
    env,
    model,
    ids,
    fields.map((field) => field.name),
  );
  const copies = records.map((record): Record<string, unknown> => ({ ...record, id: undefined }));
  for (const field of fields) {
    if (field.kind.isLinks) {
      for (const values of copies) values[field.name] = [['set', values[field.name]]];
    } else if (field.kind.isLines) {
      const lines = env.registry.model(field.spec.relation as string);
      const commands = await copiedLines(env, lines, records, field.name, field.spec.inverse as string);
      for (const [i, values] of copies.entries()) values[field.name] = commands[i];
    }
  }
  for (const values of copies) delete values.id;
  return copies;
}

/** The lines of all the records at once, as `create` commands of each. */
async function copiedLines(
  env: Env,
  lines: Model,
  records: readonly WireRecord[],
  name: string,
  inverse: string,
): Promise<X2manyCommand[][]> {
  const ids = records.flatMap((record) => record[name] as readonly number[]);
  const copies = ids.length === 0 ? [] : await copiedValues(env, lines, ids, new Set([inverse]));
  const byId = new Map(ids.map((id, i) => [id, copies[i] as Values]));
  return records.map((record) =>
    (record[name] as readonly number[]).map((id): X2manyCommand => ['create', byId.get(id) as Values]),
  );
}

/** Whether a copy is possible at all: no required unique value is missing, and it does not collide with its original. */
export function isCopyable(model: Model): boolean {
  const isWhole = [...model.fields.values()].every((field) => {
    const isLeftOut = field.isStored && field.required && isUnique(model, field) && !isCopied(model, field);
    return !isLeftOut || hasOwnValue(field);
  });
  return isWhole && !collides(model);
}

/** Whether what only one record may have is copied as it is. */
function collides(model: Model): boolean {
  const isSame = (name: string) => {
    const field = model.fields.get(name);
    return field !== undefined && isCopied(model, field) && !(name === 'name' && hasCopyName(model));
  };
  const isSet = (name: string) => model.fields.get(name)?.required === true;
  return (
    model.uniques.some(({ fields, where }) => !where && fields.every((name) => isSame(name) && isSet(name))) ||
    model.excludes.some(({ on }) => on.every(isSame))
  );
}

function hasOwnValue(field: Field): boolean {
  return field.spec.default !== undefined || field.compute !== null || field.spec.computed === true;
}

async function copyName(env: Env, model: Model, values: Values): Promise<Values> {
  const { name } = values;
  if (typeof name !== 'string' || !hasCopyName(model)) return {};
  const size = model.fields.get('name')?.spec.size ?? Number.POSITIVE_INFINITY;
  const withEnd = (end: string) => name.slice(0, Math.max(0, size - end.length)) + end;
  const first = withEnd(' (copy)');
  if (!model.uniques.some(({ fields }) => fields.includes('name')) && !model.fields.get('name')?.spec.unique) {
    return { name: first };
  }
  const taken = await takenNames(env, model, name.slice(0, Math.max(0, size - leastNameSize)));
  for (let count = 2, next = first; ; count++) {
    if (!taken.has(next.toLowerCase())) return { name: next };
    next = withEnd(` (copy ${count})`);
  }
}

/** Unique names, including those hidden from the caller. */
async function takenNames(env: Env, model: Model, start: string): Promise<ReadonlySet<string>> {
  const pattern = `${start.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const rows = await env
    .sudo()
    .model(model.name)
    .searchRead([['name', '=ilike', pattern]], ['name']);
  return new Set(rows.map((row) => String(row.name).toLowerCase()));
}

const systemFields: ReadonlySet<string> = new Set(['id', 'create_date', 'create_uid', 'write_date', 'write_uid']);

/** The fields that are copied and that the caller may read. */
function copiedFields(env: Env, model: Model): readonly Field[] {
  return [...model.fields.values()].filter((field) => isCopied(model, field) && mayReadField(env, field));
}

/** Computed, numbered and unique fields and states get new values; lines are copied only if the author says so. */
function isCopied(model: Model, field: Field): boolean {
  const { spec } = field;
  if (systemFields.has(field.name) || field.compute !== null || field.related !== null) return false;
  if (!field.isStored && !field.kind.isList) return false;
  if (spec.secret || (spec.computed && !field.isEditable)) return false;
  if (spec.copy !== undefined) return spec.copy;
  if (isPlace(model, field)) return false;
  if (field.name === 'name' && hasCopyName(model)) return true;
  return !field.kind.isLines && !isUnique(model, field) && sequenceCode(field) === null;
}

/** A copy starts where new records do. */
function isPlace({ states }: Model, { name }: Field): boolean {
  return states !== null && [states.field, states.stages?.field, states.stages?.before].includes(name);
}

/** Whether a copy is distinguished from its original by its name. */
function hasCopyName(model: Model): boolean {
  const field = model.fields.get('name');
  if (field?.kind.isShort !== true || sequenceCode(field) !== null) return false;
  return (field.spec.size ?? leastNameSize) >= leastNameSize;
}

function isUnique(model: Model, field: Field): boolean {
  return field.spec.unique === true || model.uniques.some(({ fields, where }) => !where && isAlone(fields, field.name));
}

/** A copy stays in its company, and a name gets an addition. */
function isAlone(fields: readonly string[], name: string): boolean {
  if (fields.length === 1) return fields[0] === name;
  return name !== 'name' && fields.includes(name) && fields.every((each) => each === name || each === 'company_id');
}
