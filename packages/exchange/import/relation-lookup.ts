import { inSavepoint } from '@kontor/kernel';
import { type Env, externalIdPattern, type Field, findRecords, type Model, mayReadField } from '@kontor/orm';
import { type Domain, KontorError, text, UserError, type Words } from '@kontor/protocol';
import { isImportable, nameToCreate, uniqueFields } from './import-targets.ts';
import { codesByName, localeOf } from './iso-names.ts';

/** The meaning of a cell of a relation: the id of a record, or why there is none. A missing one could be created. */
export type Found = number | { readonly why: Words; readonly isMissing?: true };

/** Records of one model by id, external id, name or a text that no two of them share, as far as the person may read them. */
export interface RelationLookup {
  /** Looks up unknown values, with as many statements for a thousand cells as for one. Missing records are created where `isMade` says so. */
  prepare(cells: Iterable<string>, isMade: (cell: string) => boolean): Promise<void>;
  find(cell: string): Found;
}

export const idPattern = /^[1-9]\d{0,9}$/;
const maxId = 2_147_483_647;

/** `domain`: which records the field is for. It decides between records of one name, and a new record is made to fit it. */
export function createRelationLookup(env: Env, model: Model, domain: Domain = []): RelationLookup {
  const known = new Map<string, number>();
  let missing = new Map<string, Exclude<Found, number>>();
  const named = async (path: string, open: ReadonlySet<string>) => byName(env, model, { path, domain }, open);

  async function prepare(cells: Iterable<string>, isMade: (cell: string) => boolean): Promise<void> {
    // A missing record may exist now: earlier rows may have created it.
    missing = new Map();
    const open = new Set<string>();
    for (const cell of cells) if (!known.has(cell)) open.add(cell);
    if (open.size === 0) return;
    await take(open, await byIds(env, model, open));
    if (open.size > 0) await take(open, await named('display_name', open));
    if (open.size > 0 && hasOtherName(model)) await take(open, await named('name', open));
    for (const { name } of open.size > 0 ? codesOf(env, model) : []) {
      if (open.size > 0) await take(open, await named(name, open));
    }
    if (open.size > 0) await take(open, await byIsoName(env, model, open));
    const wanted = [...open].filter((cell) => !missing.has(cell) && isMade(cell));
    if (wanted.length > 0) await take(open, await makeRecords(env, model, wanted, domain));
    for (const cell of open) {
      if (missing.has(cell)) continue;
      const why = text('There is no {model} "{name}".', { model: model.label, name: cell.slice(0, 80) });
      missing.set(cell, { why, isMissing: true });
    }
  }

  async function take(open: Set<string>, found: ReadonlyMap<string, Found>): Promise<void> {
    for (const [cell, each] of found) {
      open.delete(cell);
      if (typeof each === 'number') known.set(cell, each);
      else missing.set(cell, each);
    }
  }

  return { prepare, find: (cell) => known.get(cell) ?? missing.get(cell) ?? { why: '' } };
}

/** New records with only a name, created as the user; a failure is reported where the name was used. */
async function makeRecords(
  env: Env,
  model: Model,
  names: readonly string[],
  domain: Domain,
): Promise<Map<string, Found>> {
  const field = nameToCreate(env, model);
  const fitting = valuesIn(env, model, domain);
  const made = new Map<string, Found>();
  for (const name of names) {
    try {
      if (field === null) throw new UserError(text('You cannot create a {model} here.', { model: model.label }));
      made.set(name, await inSavepoint(env, () => env.model(model.name).create({ ...fitting, [field.name]: name })));
    } catch (error) {
      if (!(error instanceof KontorError) || error.status >= 500) throw error;
      made.set(name, { why: error.words });
    }
  }
  return made;
}

/** What a record must have to fit a domain that only lists values: the company of a person is a company. */
function valuesIn(env: Env, model: Model, domain: Domain): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const condition of domain) {
    if (!Array.isArray(condition)) return {};
    const [name, operator, value] = condition as readonly [string, string, unknown];
    const field = model.fields.get(name);
    const isToken = typeof value === 'string' && value.startsWith('$');
    if (operator === '=' && !isToken && field && isImportable(env, field)) values[name] = value;
  }
  return values;
}

/** Countries and currencies by their names in any language. */
async function byIsoName(env: Env, model: Model, cells: ReadonlySet<string>): Promise<Map<string, Found>> {
  const field = codesOf(env, model).find(({ spec }) => spec.isoCode !== undefined);
  if (field?.spec.isoCode === undefined) return new Map();
  const records = await env.model(model.name).searchRead([], [field.name]);
  const ids = new Map(records.map((record) => [String(record[field.name]), record.id]));
  const codes = await codesByName(field.spec.isoCode, cells, [...ids.keys()], localeOf(env.actor.lang));
  return new Map([...codes].map(([name, code]) => [name, ids.get(code) as number]));
}

/** Digits are an id and `module.name` an external id, if there is such a record; otherwise they may be a name. */
async function byIds(env: Env, model: Model, cells: ReadonlySet<string>): Promise<Map<string, Found>> {
  const ids = new Map<string, number>();
  for (const cell of cells) if (idPattern.test(cell) && Number(cell) <= maxId) ids.set(cell, Number(cell));
  const external = [...cells].filter((cell) => externalIdPattern.test(cell));
  for (const [name, id] of await findRecords(env, model, external)) ids.set(name, id);
  if (ids.size === 0) return new Map();
  const visible = new Set(await env.model(model.name).search([['id', 'in', [...new Set(ids.values())]]]));
  return new Map([...ids].filter(([, id]) => visible.has(id)));
}

interface Named {
  readonly id: number;
  readonly isActive: boolean;
}

async function byName(
  env: Env,
  model: Model,
  { path, domain }: { readonly path: string; readonly domain: Domain },
  cells: ReadonlySet<string>,
): Promise<Map<string, Found>> {
  const paths = model.hasActive ? [path, 'active'] : [path];
  const records = await env.model(model.name).searchRead([[path, 'in', [...cells]]], paths, { order: 'id' });
  const named = new Map<string, Named[]>();
  for (const record of records) {
    const name = String(record[path]);
    const same = named.get(name) ?? [];
    same.push({ id: record.id, isActive: record.active !== false });
    named.set(name, same);
  }
  const unclear = [...named.values()].filter((same) => same.length > 1).flat();
  const isLimited = domain.length > 0 && unclear.length > 0;
  const fitting = isLimited
    ? new Set(await env.model(model.name).search([['id', 'in', unclear.map(({ id }) => id)], ...domain]))
    : null;
  return new Map(
    [...named].map(([name, same]) => {
      const fit = fitting === null ? same : same.filter(({ id }) => fitting.has(id));
      return [name, onlyOne(model, name, fit.length > 0 ? fit : same)];
    }),
  );
}

/** Archived records do not make a name ambiguous. */
function onlyOne(model: Model, name: string, same: readonly Named[]): Found {
  const active = same.filter((each) => each.isActive);
  const [only, second] = active.length > 0 ? active : same;
  if (only && !second) return only.id;
  return {
    why: text('{count} records of {model} are called "{name}". Enter the ID of the right one.', {
      count: same.length,
      model: model.label,
      name: name.slice(0, 80),
    }),
  };
}

/** Texts that no two records share, such as the code of a country or the reference of a product. */
function codesOf(env: Env, model: Model): readonly Field[] {
  return uniqueFields(model).filter((field) => field.kind.isText && !field.spec.secret && mayReadField(env, field));
}

function hasOtherName(model: Model): boolean {
  const [only, ...others] = model.displayName;
  const isName = others.length === 0 && only !== undefined && 'path' in only && only.path.join('.') === 'name';
  return !isName && model.fields.get('name')?.column != null && model.fields.get('name')?.spec.secret !== true;
}
