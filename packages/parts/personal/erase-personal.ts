import { emptyLeftovers, ident, replaceEverywhere, sql } from '@kontor/database';
import { workState } from '@kontor/kernel';
import { type Env, type Field, type Model, noteCachedChange, tableSpecs } from '@kontor/orm';
import { text, UserError } from '@kontor/protocol';
import { eraseFromTrail, trailTables } from '../audit/erase-entries.ts';
import { forgetValues } from '../change-log/change-set.ts';
import { type FoundRecord, findPersonal, type PersonalData, type Subject, withFiles } from './find-personal.ts';
import { keyPattern } from './person-keys.ts';
import { personalFields } from './personal-fields.ts';

/** The replacement of personal data. Short, so that it fits everywhere. */
const mark = '[…]';

/**
 * What happens to a record: deleted if it is meaningless without the person, otherwise only its personal data is
 * erased.
 */
export type Fate = 'emptied' | 'deleted';

export function fateOf({ model, why }: FoundRecord): Fate {
  const isNothingWithout = personalFields(model).some(({ required }) => required);
  return isNothingWithout && (why === 'part' || model.quiet) && why !== 'about' ? 'deleted' : 'emptied';
}

/**
 * Erases a person: in the records that contain their data, in the change log, in the audit trail, in data of
 * uninstalled modules, and by email, phone and name in every text of the database. Facts such as orders and their
 * totals stay, and so do files on records of others, except those that a user marked as `theirs`.
 */
export async function erasePersonal(env: Env, subject: Subject, theirs: readonly Subject[]): Promise<PersonalData> {
  const server = env.sudo();
  const listed = await findPersonal(server, subject);
  const data = withFiles(listed, theirs);
  await refuseActive(server, data);
  const kept = await eraseRecords(server, data);
  const records = recordsByModel(data.found).map(([model, found]) => ({
    ...{ model: model.name, ids: found.map(({ id }) => id) },
    names: personalFields(model).map(({ name }) => name),
  }));
  const { db } = env;
  for (const { model, ids, names } of records) await forgetValues(db, model, ids, names);
  await forgetTracked(server, kept);
  const pattern = keyPattern(data.keys);
  // Texts have no company: they are replaced only by users with access to all of them.
  const texts = pattern === null || data.isPartial ? null : { pattern, replacement: mark };
  const state = workState(env.work);
  await eraseFromTrail(db, {
    ...{ subject, records, texts },
    files: data.found.slice(listed.found.length).map(({ model, id }) => ({ model: model.name, id })),
    origin: {
      uid: env.uid,
      address: state?.address ?? null,
      via: state?.via ?? null,
      requestId: state?.requestId ?? null,
    },
  });
  await emptyParked(server, data.found);
  if (texts !== null) await replaceEverywhere(db, texts, trailTables);
  noteCachedChange(env.work);
  hideValues(env, records);
  return data;
}

/** Users who can sign in are not erased by mistake: the account must be archived first. */
async function refuseActive(env: Env, { found }: PersonalData): Promise<void> {
  const users = found.filter(({ model }) => model.name === 'core.user').map(({ id }) => id);
  if (users.length === 0) return;
  const active = await env.model('core.user').searchRead(
    [
      ['id', 'in', users],
      ['active', '=', true],
    ],
    ['name'],
  );
  if (active.length === 0) return;
  const names = active.map(({ name }) => name).join(', ');
  throw new UserError(text('{names} can still sign in here. Archive the account first.', { names }));
}

function recordsByModel(found: readonly FoundRecord[]): [Model, FoundRecord[]][] {
  const models = new Map<Model, FoundRecord[]>();
  for (const each of found) models.set(each.model, [...(models.get(each.model) ?? []), each]);
  return [...models];
}

/** Returns the records that still exist. */
async function eraseRecords(env: Env, { found, subject }: PersonalData): Promise<readonly FoundRecord[]> {
  const going = found.filter((each) => fateOf(each) === 'deleted');
  for (const [model, own] of recordsByModel(going)) {
    // Some were deleted with the record that they are part of.
    const there = await env.model(model.name).search([['id', 'in', own.map(({ id }) => id)]]);
    await env.model(model.name).unlink(there, { restores: true });
  }
  const staying = found.filter((each) => !going.includes(each));
  for (const [model, own] of recordsByModel(staying)) {
    const there = new Set(await env.model(model.name).search([['id', 'in', own.map(({ id }) => id)]]));
    const rows = own.filter(({ id }) => there.has(id)).map((each) => ({ id: each.id, values: emptied(each, subject) }));
    // Locks and moves are ignored: a confirmed order keeps what was sold, not who the person was.
    if (rows.length > 0) await env.model(model.name).writeEach(rows, { restores: true });
  }
  return staying;
}

function emptied({ model, id, why }: FoundRecord, subject: Subject): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const field of personalFields(model)) {
    // Tracked values are checked one by one, see `forgetTracked`.
    if (!field.kind.isJson || why !== 'about') values[field.name] = substitute(model, field, id, why === 'about');
  }
  const isSubject = model.name === subject.model && id === subject.id;
  return isSubject && model.hasActive ? { ...values, active: false } : values;
}

function substitute(model: Model, field: Field, id: number, isSaid: boolean): unknown {
  const isText = field.kind.isText;
  if (isText && isSaid) return mark;
  if (!field.required) return null;
  if (!isText) return field.kind.absent;
  return field.spec.unique ? `erased-${id}` : `${model.label} ${id}`.slice(0, field.spec.size ?? 100);
}

/** Removes the old values of personal fields from the chatter. */
async function forgetTracked(env: Env, found: readonly FoundRecord[]): Promise<void> {
  const lists = [...env.registry.models.values()].flatMap((model) => {
    const tracked = personalFields(model).filter(({ kind }) => kind.isJson);
    return model.about
      ? tracked.map((field) => ({ model, field, about: model.about as NonNullable<Model['about']> }))
      : [];
  });
  for (const { model, field, about } of lists) {
    for (const { model: of, id } of found) {
      const names = personalFields(of).map(({ name }) => name);
      const column = ident(field.column as string);
      await env.db.execute(sql`
        update ${ident(model.table)} set ${column} = (
          select coalesce(jsonb_agg(item), '[]'::jsonb) from jsonb_array_elements(${column}) as item
          where not coalesce(item ->> 'field' = any(${names}::text[]), false))
        where ${ident(about.model)} = ${of.name} and ${ident(about.id)} = ${id}::int4 and jsonb_typeof(${column}) = 'array'`);
    }
  }
}

async function emptyParked(env: Env, found: readonly FoundRecord[]): Promise<void> {
  const specs = new Map(tableSpecs(env.registry).map((spec) => [spec.name, spec]));
  for (const [{ table }, own] of recordsByModel(found)) {
    await emptyLeftovers(env.db, {
      ...{ table, ids: own.map(({ id }) => id), usedTables: new Set(specs.keys()) },
      usedColumns: new Set(['id', ...(specs.get(table)?.columns ?? []).map(({ name }) => name)]),
    });
  }
}

/** The change log of this unit of work does not contain what it erased, and it cannot be undone. */
function hideValues(env: Env, records: readonly { readonly model: string; readonly names: readonly string[] }[]): void {
  const namesOf = new Map(records.map(({ model, names }) => [model, new Set(names)]));
  const nothing = { old: null, new: null };
  env.work.redact((change) => {
    const { fields: fieldsOf, isTransient } = env.registry.model(change.model);
    // Requests about the person are deleted too.
    if (isTransient) return { ...change, values: {} };
    const told = Object.entries(change.values).map(([name, value]) => {
      if (namesOf.get(change.model)?.has(name)) return [name, { old: null, new: value.new }] as const;
      // Computed values may contain it, also intermediate ones.
      return [name, fieldsOf.get(name)?.compute ? nothing : value] as const;
    });
    return { ...change, values: Object.fromEntries(told) };
  });
  env.work.keepFromUndo();
}
