import { checkModelAccess } from '../access/model-access.ts';
import type { Env, Model } from '../model/model.ts';
import { checkIds } from '../reading/check-ids.ts';
import { read } from '../reading/read.ts';
import type { Values, WireRecord, X2manyCommand } from '../records.ts';
import { checkFieldAccess, checkShape } from './check-names.ts';
import { copiedFields, hasCopyName } from './copied-fields.ts';

const suffix = ' (copy)';

/** Makes a new record from the values of another, under the caller's rights; overrides win. */
export async function copy(env: Env, model: Model, id: number, overrides: Values = {}): Promise<number> {
  checkIds(model, [id]);
  checkShape(model, overrides);
  checkModelAccess(env, model, 'create');
  checkFieldAccess(env, model, Object.keys(overrides));
  const [values] = await copiedValues(env, model, [id], new Set(Object.keys(overrides)));
  const named = { ...values, ...copyName(model, values as Values) };
  // What is copied may be readonly for the caller; what they override may not.
  return env
    .outside(false)
    .model(model.name)
    .create({ ...named, ...overrides });
}

/** Values of new records, one for each id, with the lines that are copied along as commands. */
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

function copyName(model: Model, values: Values): Values {
  const { name } = values;
  if (typeof name !== 'string' || !hasCopyName(model)) return {};
  const size = model.fields.get('name')?.spec.size ?? Number.POSITIVE_INFINITY;
  return { name: name.slice(0, Math.max(0, size - suffix.length)) + suffix };
}
