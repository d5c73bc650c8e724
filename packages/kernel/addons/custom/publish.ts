import { ident, type SchemaReport, sql, syncSchema, type Transaction } from '@kontor/database';
import { type Env, type Registry, tableSpecs } from '@kontor/orm';
import { fieldTypes, inEnglish, KontorError, text } from '@kontor/protocol';
import { AddonError } from '../addon-error.ts';
import { type AssembledModules, assembleModules } from '../assemble-modules.ts';
import type { InstallContext, ModuleChange } from '../install-context.ts';
import { writeModelRows } from '../model-rows.ts';
import { lockModules, modulesToChange, readModuleStates } from '../module-rows.ts';
import { parkSchema, schemaToPark } from '../park-module.ts';
import { fillComputes, fillNewEditables, knownComputes, newComputes, newEditables } from '../recompute-new.ts';
import { requireValues } from '../require-values.ts';
import { type CustomDocument, type CustomField, canonicalJson, customModule, fieldIn, fieldsIn } from './document.ts';
import { type DocumentProblem, documentError } from './document-reader.ts';
import { fitViews, loadCustomRecords, viewsOf } from './fit-views.ts';
import { type NewValues, newestOfMany, type PlannedValues, planValues } from './pending-values.ts';
import { documentChecksum, type PublishedDocument, readPublished } from './revision-models.ts';

export interface Publication {
  readonly document: CustomDocument;
  /** The revision that the author saw: somebody else may have published since. */
  readonly base: number;
  /** The version of the draft that the author saw; 0: there was none. */
  readonly draft: number;
  readonly authorId: number;
  readonly note: string;
  /** What changed, one sentence each. */
  readonly changes?: readonly unknown[];
  /** By `model.field` with a source: the records whose source the author may not read. They start without a value. */
  readonly hidden?: ReadonlyMap<string, readonly number[]>;
}

export interface PublishedChange extends ModuleChange {
  readonly number: number;
}

/**
 * Publishes a customisation in the caller's transaction, like an upgrade of a module whose source it is: it is checked as a whole,
 * columns are added and those that are no longer declared are parked, and a revision is written. Throws with all mistakes.
 */
export async function publishDocument(context: InstallContext, publication: Publication): Promise<PublishedChange> {
  const { tx } = context;
  await lockModules(tx, context.waitMs);
  const current = await readPublished(tx);
  if (current.number !== publication.base) throw publishedSince(current.number);
  if ((await draftVersion(tx)) !== publication.draft) throw draftChanged();
  const states = await readModuleStates(tx);
  const present = modulesToChange(context.catalogue, states);
  const next: PublishedDocument = { number: current.number + 1, document: publication.document };
  const before = await assembleModules(context, present);
  await refuseEmpty(tx, before, publication.document);
  const assembled = await assembleModules({ ...context, publishedOf: async () => next }, present);
  // What was left out before, because its module is gone, may still be left out.
  const known = new Set(before.custom.skipped.map(({ at }) => at));
  refuse(assembled.custom.skipped.filter(({ at }) => !known.has(at)));

  const freshEnv = () => context.envFor(assembled.registry, tx).sudo();
  const { hidden = new Map() } = publication;
  const changed = changedComputes(before.custom.document, publication.document);
  const values = await planValues(
    tx,
    {
      computes: newComputes(assembled.registry, await knownComputes(tx), changed),
      copies: await newEditables(tx, assembled.registry),
    },
    hidden,
  );
  refuse(requiredLater(assembled.registry, values));
  const filled = await filledByDatabase(tx, before, publication.document);
  await writeModelRows(freshEnv());
  await applyViews(context, assembled, before.custom.document, freshEnv);
  await writeRevision(freshEnv(), next, publication, values);
  // Last: from here on, others wait for the changed tables.
  const schema = await changeSchema(tx, before.registry, assembled, freshEnv, {
    ...{ values: values.atOnce, hidden, filled },
  });
  await fillComputes(freshEnv(), values.atOnce.computes);
  const report = { module: customModule, done: 'upgraded' as const, created: 0, updated: 0, unchanged: 0 };
  const reports = [{ ...report, removed: [], kept: [], migrations: [] }];
  return { ...assembled, states, reports, broken: [], schema, number: next.number };
}

/** Fields that get their value in another way than before. */
function changedComputes(before: CustomDocument, after: CustomDocument): ReadonlySet<string> {
  const changed = Object.entries(after.extends).flatMap(([model, { fields }]) =>
    Object.entries(fields).flatMap(([name, { formula, lines, stored }]) => {
      const old = fieldIn(before, model, name);
      const way = (each: Pick<CustomField, 'formula' | 'lines' | 'stored'> | undefined) =>
        canonicalJson([each?.formula, each?.lines, each?.stored]);
      return way(old) === way({ formula, lines, stored } as CustomField) ? [] : [`${model}.${name}`];
    }),
  );
  return new Set(changed);
}

const noValue = text('It is required, and existing records have no value for it. Give it a default.');

/** A field that becomes required without a value for the records that are there. */
async function refuseEmpty(tx: Transaction, before: AssembledModules, document: CustomDocument): Promise<void> {
  const problems: DocumentProblem[] = [];
  for (const [name, model] of before.registry.models) {
    const empty = Object.entries(fieldsIn(document, name)).filter(
      ([field, { type, required, default: value, from }]) =>
        required &&
        value === undefined &&
        from === undefined &&
        !fieldTypes[type].isBoolean &&
        !model.fields.has(field),
    );
    if (empty.length === 0) continue;
    const rows = await tx.query(sql`select 1 as found from ${ident(model.table)} limit 1`);
    if (rows.length > 0) for (const [field] of empty) problems.push({ at: `${name}.${field}`, message: noValue });
  }
  refuse(problems);
}

function publishedSince(number: number): KontorError {
  return new KontorError(
    'CONFLICT',
    text('Someone else has published revision {number} in the meantime. Look at it and publish again.', { number }),
    { number },
  );
}

async function draftVersion(tx: Transaction): Promise<number> {
  const [row] = await tx.query<{ version: number }>(sql`select version from sys_custom_draft for update`);
  return row?.version ?? 0;
}

export function draftChanged(): KontorError {
  return new KontorError(
    'CONFLICT',
    text('Someone else has changed the draft in the meantime. Look at it and try again.'),
  );
}

function refuse(problems: readonly DocumentProblem[]): void {
  if (problems.length > 0) throw documentError(problems);
}

interface FirstValues {
  readonly values: NewValues;
  readonly hidden: ReadonlyMap<string, readonly number[]>;
  /** Columns that the database fills, by `table.column`. */
  readonly filled: ReadonlySet<string>;
}

/** Only adds: a process that does not know the new fields yet keeps working. */
async function changeSchema(
  tx: Transaction,
  before: Registry,
  { registry }: AssembledModules,
  freshEnv: () => Env,
  { values, hidden, filled }: FirstValues,
): Promise<Pick<SchemaReport, 'done' | 'refused'>> {
  await parkSchema(tx, schemaToPark(before, registry));
  const { done, refused, awaiting } = await syncSchema(tx, tableSpecs(registry, [customModule]), {
    valuesFollow: true,
    scansLater: true,
    filledByDatabase: filled,
    // Others wait behind a lock that is not granted: it is rather tried again.
    lockTimeoutMs: 50,
    lockTries: 20,
  });
  refuse(refused.map(({ table, column, reason }) => schemaProblem(registry, table, column ?? '', reason)));
  const env = freshEnv();
  await fillNewEditables(env, values.copies);
  for (const [{ name, table }, fields] of values.copies) {
    for (const { name: field, column } of fields) {
      const ids = hidden.get(`${name}.${field}`) ?? [];
      if (column === null || ids.length === 0) continue;
      await tx.execute(sql`update ${ident(table)} set ${ident(column)} = null where id = any(${[...ids]}::int4[])`);
    }
  }
  try {
    await requireValues(env, tx, awaiting ?? []);
  } catch (error) {
    if (!(error instanceof AddonError)) throw error;
    throw documentError([error, ...error.also].map(valueProblem));
  }
  return { done, refused };
}

/** Required fields with a default that is not a constant, of tables with many records: the columns that the database fills itself. */
async function filledByDatabase(
  tx: Transaction,
  before: AssembledModules,
  document: CustomDocument,
): Promise<ReadonlySet<string>> {
  const filled = new Set<string>();
  const problems: DocumentProblem[] = [];
  for (const [name, { table, fields }] of before.registry.models) {
    const sourced = Object.entries(fieldsIn(document, name)).filter(
      ([field, { required, default: value }]) => required && typeof value === 'object' && !fields.has(field),
    );
    if (sourced.length === 0 || (await newestOfMany(tx, table)) === null) continue;
    for (const [field, { type }] of sourced) {
      if (fieldTypes[type].isDate) filled.add(`${table}.${field}`);
      else problems.push({ at: `${name}.${field}`, message: requiredLaterOn });
    }
  }
  refuse(problems);
  return filled;
}

const requiredLaterOn = text(
  'Too many records are there to fill it while it is published. Do not require it now; require it once they have it.',
);

/** A required field cannot wait for its values. */
function requiredLater({ models }: Registry, { later }: PlannedValues): readonly DocumentProblem[] {
  return later
    .filter(({ model, fields, way }) => way === 'copy' && models.get(model)?.fields.get(fields[0] ?? '')?.required)
    .map(({ model, fields }) => ({ at: `${model}.${fields[0]}`, message: requiredLaterOn }));
}

function schemaProblem({ models }: Registry, table: string, column: string, reason: string): DocumentProblem {
  const model = [...models.values()].find((each) => each.table === table);
  return { at: `${model?.name ?? table}.${column}`, message: text('Its column {reason}.', { reason }) };
}

function valueProblem({ problem }: AddonError): DocumentProblem {
  const [at = customModule] = problem.split(' ');
  return { at, message: noValue };
}

async function applyViews(
  context: InstallContext,
  assembled: AssembledModules,
  before: CustomDocument,
  freshEnv: () => Env,
): Promise<void> {
  await loadCustomRecords(context, freshEnv, assembled.custom.document, async () => {
    const check = viewsOf(assembled, context.catalogue, freshEnv());
    const { views, problems } = await fitViews(check, assembled.custom.document);
    if (problems.length > 0) {
      // Steps that an upgrade of another module broke stay in the document until somebody changes them.
      const old = await fitViews(check, before);
      const known = new Set(old.problems.map(({ at, message }) => JSON.stringify([at, inEnglish(message)])));
      refuse(problems.filter(({ at, message }) => !known.has(JSON.stringify([at, inEnglish(message)]))));
    }
    return views;
  });
}

async function writeRevision(
  env: Env,
  next: PublishedDocument,
  publication: Publication,
  { later }: PlannedValues,
): Promise<void> {
  const { document, authorId, note, changes = [] } = publication;
  await env.model('sys.custom.revision').create({
    number: next.number,
    author_id: authorId,
    note: note.slice(0, 500) || null,
    changes,
    document,
    checksum: documentChecksum(document),
    pending: later.length > 0 ? later : null,
  });
  await env.db.execute(sql`delete from sys_custom_draft`);
}
