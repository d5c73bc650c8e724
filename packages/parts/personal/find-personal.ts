import { ident, join, type Sql, sql } from '@kontor/database';
import type { Env, Field, Model, Registry } from '@kontor/orm';
import { type ListedFile, listFiles } from './list-files.ts';
import { findKeys, type KeyHolder, noKeys, type PersonKeys, sharedKeys } from './person-keys.ts';
import { fileFields, isPartLink, personalFields } from './personal-fields.ts';

/** The record that represents a person. */
export interface Subject {
  readonly model: string;
  readonly id: number;
}

/** Why a record contains data of the person. */
export type Why = 'itself' | 'part' | 'relation' | 'address' | 'about';

/** A record with data of the person. */
export interface FoundRecord {
  readonly model: Model;
  readonly id: number;
  readonly why: Why;
}

export interface PersonalData {
  readonly subject: Subject;
  readonly found: readonly FoundRecord[];
  /** What identifies the person wherever it occurs. */
  readonly keys: PersonKeys;
  /** Shared with others, and kept: elsewhere it is unclear whose it is. */
  readonly shared: readonly string[];
  /** The user does not have all companies: keys were searched only in theirs. */
  readonly isPartial: boolean;
  /** Files on records of others that may belong to the person: a user has to review them. */
  readonly files: readonly ListedFile[];
}

/**
 * All records with data of a person: the contact itself, its parts, messages about it, records that refer to it, and
 * those with an email or phone of the person. The env is the server's: the user sees what nobody else may. Keys are
 * searched only in the user's companies: creating a contact with somebody's address must not give access to others.
 */
export async function findPersonal(env: Env, subject: Subject): Promise<PersonalData> {
  const finder = { env, models: modelsWithPersonal(env.registry), found: new Map<string, FoundRecord>() };
  const model = env.registry.model(subject.model);
  const companies = await limitedTo(env);
  add(finder, model, [subject.id], 'itself');
  await addParts(finder);
  const own = [...finder.found.values()];
  const all = findKeys(model, await readPersonal(env, own));
  const { keys, shared } = await sharedKeys(env, keyHolders(finder, model, companies), subject.id, all);
  await addAbout(finder, subject);
  await addParts(finder);
  await addRelated(finder, model, subject.id);
  await addByKeys(finder, keys, model, companies);
  // Attachments of an order may have to be kept: its files are listed.
  const listed = finder.models.filter((each) => fileFields(each) !== null);
  await addParts({ ...finder, models: finder.models.filter((each) => !listed.includes(each)) });
  const found = [...finder.found.values()];
  const records = [...found, ...(await linkedRecords(env, model, subject.id))];
  const isPartial = companies !== null;
  const inFiles = isPartial ? noKeys : keys;
  const files = await listFiles(env, listed, { found, records, keys: inFiles });
  return { subject, found, keys, shared, isPartial, files };
}

/** The companies that may be searched by key; null: all. */
async function limitedTo(env: Env): Promise<readonly number[] | null> {
  const { companyIds } = env.actor;
  const all = await env.model('core.company').search([]);
  return all.every((id) => companyIds.includes(id)) ? null : companyIds;
}

function inCompanies({ hasCompany }: Model, companies: readonly number[] | null, alias = 'r'): Sql | null {
  if (companies === null) return sql`true`;
  if (!hasCompany) return null;
  const company = ident(alias, 'company_id');
  return sql`(${company} is null or ${company} = any(${[...companies]}::int4[]))`;
}

/** Including listed files that a user marked as the person's. */
export function withFiles(data: PersonalData, theirs: readonly Subject[]): PersonalData {
  const chosen = data.files.filter(({ model, id }) =>
    theirs.some((each) => each.model === model.name && each.id === id),
  );
  const found = [...data.found, ...chosen.map(({ model, id }) => ({ model, id, why: 'part' as const }))];
  return { ...data, found, files: data.files.filter((file) => !chosen.includes(file)) };
}

interface Finder {
  readonly env: Env;
  readonly models: readonly Model[];
  readonly found: Map<string, FoundRecord>;
}

function modelsWithPersonal({ models }: Registry): readonly Model[] {
  return [...models.values()].filter((model) => !model.isTransient && personalFields(model).length > 0);
}

function add({ found }: Finder, model: Model, ids: readonly unknown[], why: Why): void {
  for (const id of ids as readonly number[]) {
    const key = `${model.name}/${id}`;
    if (!found.has(key)) found.set(key, { model, id, why });
  }
}

async function idsWhere({ db }: Env, { table }: Model, where: Sql): Promise<readonly unknown[]> {
  const rows = await db.arrays(sql`select r.id from ${ident(table)} r where ${where} order by r.id`);
  return rows.map(([id]) => id);
}

function linksTo(model: Model, target: Model): readonly Field[] {
  return [...model.fields.values()].filter(
    ({ kind, column, spec }) => kind.isToOne && column !== null && spec.relation === target.name,
  );
}

function keyHolders({ models }: Finder, model: Model, companies: readonly number[] | null): readonly KeyHolder[] {
  const parts = models.flatMap((part) =>
    partLinks(part, model).map(({ column }) => ({ model: part, owner: ident('r', column as string) })),
  );
  const within = inCompanies(model, companies, 'o') ?? sql`true`;
  return [{ model, owner: ident('r', 'id') }, ...parts].map((holder) => ({
    ...holder,
    within: sql`exists (select 1 from ${ident(model.table)} o where o.id = ${holder.owner} and ${within})`,
  }));
}

function partLinks(model: Model, owner: Model): readonly Field[] {
  return linksTo(model, owner).filter((field) => isPartLink(model, field));
}

/** Parts of found records are found as well, recursively. */
async function addParts(finder: Finder): Promise<void> {
  const { env, models, found } = finder;
  const open = [...found.values()];
  for (const { model: owner, id } of open) {
    for (const model of models) {
      for (const link of partLinks(model, owner)) {
        const before = found.size;
        add(finder, model, await idsWhere(env, model, sql`${ident('r', link.column as string)} = ${id}::int4`), 'part');
        open.push(...[...found.values()].slice(before));
      }
    }
  }
}

/** Records that refer to the person, whether they contain personal data or not. */
async function linkedRecords(env: Env, target: Model, id: number): Promise<readonly FoundRecord[]> {
  const models = [...env.registry.models.values()].filter((model) => !model.isTransient && model !== target);
  const finder = { env, models, found: new Map<string, FoundRecord>() };
  await addRelated(finder, target, id);
  return [...finder.found.values()];
}

/**
 * Records that refer to the person. Those of the same model are other people: the contacts of a company, or its
 * company.
 */
async function addRelated(finder: Finder, target: Model, id: number): Promise<void> {
  for (const model of finder.models) {
    if (model === target) continue;
    for (const link of linksTo(model, target)) {
      const where = sql`${ident('r', link.column as string)} = ${id}::int4`;
      add(finder, model, await idsWhere(finder.env, model, where), 'relation');
    }
  }
}

async function addByKeys(
  finder: Finder,
  { emails, phones }: PersonKeys,
  target: Model,
  companies: readonly number[] | null,
): Promise<void> {
  if (emails.length + phones.length === 0) return;
  for (const model of finder.models) {
    if (model === target) continue;
    const texts = personalFields(model).filter(({ kind }) => kind.isShort);
    const within = inCompanies(model, companies);
    if (texts.length === 0 || within === null) continue;
    const where = texts.map(({ column }) => {
      const text = ident('r', column as string);
      return sql`lower(trim(${text})) = any(${emails}::text[]) or regexp_replace(${text}, '\\D', '', 'g') = any(${phones}::text[])`;
    });
    add(finder, model, await idsWhere(finder.env, model, sql`(${join(where, sql` or `)}) and ${within}`), 'address');
  }
}

/** Messages and activities about the person. */
async function addAbout(finder: Finder, subject: Subject): Promise<void> {
  for (const model of finder.models) {
    if (!model.about) continue;
    const where = sql`${ident('r', model.about.model)} = ${subject.model} and ${ident('r', model.about.id)} = ${subject.id}::int4`;
    add(finder, model, await idsWhere(finder.env, model, where), 'about');
  }
}

/** Their values, one query per model, in record order. Secrets are left out. */
export async function readPersonal(
  env: Env,
  found: readonly FoundRecord[],
): Promise<readonly (FoundRecord & { readonly values: Readonly<Record<string, unknown>> })[]> {
  const byModel = new Map<Model, number[]>();
  for (const { model, id } of found) byModel.set(model, [...(byModel.get(model) ?? []), id]);
  const values = new Map<string, Readonly<Record<string, unknown>>>();
  for (const [model, ids] of byModel) {
    const names = personalFields(model).flatMap(({ name, spec }) => (spec.secret ? [] : [name]));
    for (const { id, ...rest } of await env.model(model.name).read(ids, [...names, 'display_name'])) {
      values.set(`${model.name}/${id}`, rest);
    }
  }
  return found.map((each) => ({ ...each, values: values.get(`${each.model.name}/${each.id}`) ?? {} }));
}
