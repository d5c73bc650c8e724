import {
  checkModelAccess,
  checkRecords,
  deleteExternalIds,
  type Env,
  type ExternalId,
  externalIdPattern,
  type Model,
  namesByRow,
  type ReadQuery,
  readNames,
  splitExternalId,
} from '@kontor/orm';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { type ConditionNode, type DomainNode, invalidArgs, KontorError, text, type Values } from '@kontor/protocol';
import { checkFree, giveNames, modulePrefixes } from './put-many.ts';

const nameFields = {
  external_id: fields.char({ required: true, size: 193, label: 'External id' }),
  model: fields.char({ required: true, size: 128 }),
  res_id: fields.integer({ required: true, label: 'Record' }),
};
export interface SysExternalId extends FieldsOf<typeof nameFields> {}
declare module '@kontor/orm' {
  interface Models {
    'sys.external.id': SysExternalId;
  }
}

/**
 * External ids that programs give to records, such as the number in another system: visible with the record, set by users who may
 * change it.
 */
export const sysExternalId = defineModel('sys.external.id', {
  label: 'External id of a record',
  order: 'id',
  displayName: '{external_id}',
  quiet: true,
  fields: nameFields,
  served: { read, create, unlink, sample: [['model', '=', 'core.partner']] },
});

type Name = keyof typeof nameFields;
const names = [...Object.keys(nameFields), 'display_name'];

async function read(env: Env, { domain, fields: asked, options }: ReadQuery) {
  const shown = asked?.filter((name) => name !== 'id');
  const unknown = shown?.find((name) => !names.includes(name as string));
  if (unknown !== undefined) throw refused('fields', `There is no field ${JSON.stringify(unknown)}.`);
  if (options.order !== undefined && options.order !== 'id') throw refused('order', 'They come in the order of id.');
  const { model: named, ids, resIds } = toQuestion(domain);
  const model = env.registry.model(named);
  checkModelAccess(env, model, 'read');
  const found = await readNames(env, model, { ids, resIds, limit: options.limit ?? 500, offset: options.offset ?? 0 });
  return found.map(({ rowId, id, resId }) => {
    const row = { external_id: id, model: model.name, res_id: resId, display_name: id };
    const known = Object.entries(row).filter(([name]) => shown === undefined || shown.includes(name));
    return { id: rowId, ...Object.fromEntries(known) };
  });
}

interface Question {
  readonly model: string;
  readonly ids: readonly string[] | null;
  readonly resIds: readonly number[] | null;
}

/** One condition for each field, that of the model always. */
function toQuestion(domain: DomainNode): Question {
  const nodes = domain.kind === 'and' ? domain.nodes : domain.kind === 'all' ? [] : [domain];
  const given = new Map<string, ConditionNode>();
  for (const node of nodes) {
    const name = node.kind === 'condition' ? node.path.join('.') : '';
    if (node.kind !== 'condition' || !(name in nameFields) || given.has(name)) {
      throw refused('domain', 'They are asked for by model, external_id and res_id, one condition each.');
    }
    given.set(name, node);
  }
  const list = <T>(name: Name, type: 'string' | 'number'): readonly T[] | null => {
    const node = given.get(name);
    if (node === undefined) return null;
    const values = node.operator === 'in' && Array.isArray(node.value) ? node.value : [node.value];
    const isPlain = (node.operator === '=' || node.operator === 'in') && values.every((one) => typeof one === type);
    if (!isPlain) throw refused(name, `They are asked for ${name} with "=" or "in".`);
    return values as T[];
  };
  const models = list<string>('model', 'string');
  if (models?.length !== 1) throw refused('model', 'Say of which model: [["model", "=", "core.partner"], …].');
  return { model: models[0] as string, ids: list('external_id', 'string'), resIds: list('res_id', 'number') };
}

async function create(env: Env, rows: readonly Values[]): Promise<readonly number[]> {
  const given = rows.map(readRow);
  for (const [model, own] of byModel(env, given)) {
    checkModelAccess(env, model, 'write');
    await checkRecords(env, model, [...new Set(own.map(({ id }) => id))], 'write');
  }
  const all = given.map(({ externalId }) => externalId);
  if (new Set(all).size < all.length) throw refused('external_id', 'An external id is given twice.');
  await checkFree(env, all);
  const made = new Map<string, number>();
  for (const [model, own] of byModel(env, given)) {
    await giveNames(env, model, own);
    const ids = own.map(({ externalId }) => externalId);
    const found = await readNames(env, model, { ids, resIds: null, limit: ids.length, offset: 0 });
    for (const { id, rowId } of found) made.set(id, rowId);
  }
  return all.map((id) => made.get(id) as number);
}

interface GivenName {
  readonly externalId: string;
  readonly model: string;
  readonly id: number;
}

function readRow({ external_id: externalId, model, res_id: id, ...others }: Values): GivenName {
  const [other] = Object.keys(others);
  if (other !== undefined) throw refused(other, `There is no field ${JSON.stringify(other)} to be set.`);
  const isNamed = typeof externalId === 'string' && externalIdPattern.test(externalId);
  if (isNamed && typeof model === 'string' && Number.isInteger(id)) return { externalId, model, id: id as number };
  throw new KontorError('VALIDATION_ERROR', text('Must be a record id or an external id such as shop.order_7.'), {
    fields: {
      [isNamed ? 'res_id' : 'external_id']: [text('Must be a record id or an external id such as shop.order_7.')],
    },
  });
}

function byModel<T extends { readonly model: string }>(env: Env, rows: readonly T[]): ReadonlyMap<Model, readonly T[]> {
  const groups = new Map<Model, T[]>();
  for (const row of rows) {
    const model = env.registry.model(row.model);
    groups.set(model, [...(groups.get(model) ?? []), row]);
  }
  return groups;
}

/**
 * An external id that the caller may remove from a record they may change; those of modules stay. A hidden one does not exist for
 * the caller.
 */
async function unlink(env: Env, ids: readonly number[]): Promise<void> {
  const found = await namesByRow(env, ids);
  const known = found.filter(({ model }) => env.registry.models.has(model));
  const seen = new Map<number, ExternalId>();
  for (const [model, own] of byModel(env, known)) {
    checkModelAccess(env, model, 'read');
    const resIds = own.map(({ resId }) => resId);
    for (const each of await readNames(env, model, { ids: null, resIds, limit: 10_000, offset: 0 }))
      seen.set(each.rowId, each);
  }
  const missing = ids.filter((id) => !seen.has(id));
  if (missing.length > 0)
    throw new KontorError('NOT_FOUND', undefined, { model: 'sys.external.id', missing_ids: missing });
  for (const [model, own] of byModel(env, known)) {
    checkModelAccess(env, model, 'write');
    await checkRecords(env, model, [...new Set(own.map(({ resId }) => resId))], 'write');
  }
  const owned = await modulePrefixes(env);
  for (const { id } of known) {
    const { module } = splitExternalId(id);
    if (owned.has(module))
      throw new KontorError('USER_ERROR', text('The external id {id} belongs to the module {module}.', { id, module }));
  }
  await deleteExternalIds(env, ids);
}

function refused(field: string, message: string): KontorError {
  return invalidArgs(message, { field });
}
