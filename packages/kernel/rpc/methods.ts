import {
  authorName,
  type Env,
  type GroupQuery,
  type Model,
  type OneChange,
  type Records,
  type RowWrite,
  toJson,
  writeAnswer,
} from '@kontor/orm';
import {
  type DomainNode,
  invalidArgs,
  KontorError,
  type Operation,
  type Projection,
  parseDomain,
  type SearchOptions,
  type Values,
} from '@kontor/protocol';
import { type PutOptions, putMany } from './put-many.ts';
import { isRecord } from './request.ts';

type Args = readonly unknown[];
type Kwargs = Readonly<Record<string, unknown>>;

/** The context of a method call. */
interface CalledAt {
  readonly env: Env;
  readonly model: Model;
}

/** One method of the endpoint, as data for documentation, checks and dispatch. */
export interface RpcMethod {
  readonly summary: string;
  /** Names of the positional arguments; a trailing `?` marks an optional one. */
  readonly args: readonly string[];
  /** `...` in place of names: any number, checked by the method itself. */
  readonly isVariadic?: boolean;
  readonly kwargs: readonly string[];
  readonly result: string;
  /** The required right on the model. Methods that need `read` change nothing and run without a transaction. */
  readonly needs: Operation;
  /** A replica may answer it, once it has the caller's last write. */
  readonly mayUseReplica?: true;
  /** The call as a single change for one statement; null: not in this form. */
  readonly atOnce?: (args: Args, kwargs: Kwargs) => OneChange | null;
  run(records: Records, args: Args, kwargs: Kwargs, at: CalledAt): Promise<unknown>;
}

const table = {
  search: {
    summary: 'Records that match a domain, with their default fields; in the code of addons, `search` returns ids.',
    args: ['domain?'],
    kwargs: ['limit', 'offset', 'order'],
    result: 'array of records',
    needs: 'read',
    mayUseReplica: true,
    run: async (records, [domain], kwargs) =>
      new RawJson(await records.searchReadJson(readDomain(domain, 'domain'), undefined, readSearchOptions(kwargs))),
  },
  search_read: {
    summary: 'Records that match a domain, with exactly the requested fields.',
    args: ['domain', 'fields?'],
    kwargs: ['limit', 'offset', 'order'],
    result: 'array of projected records',
    needs: 'read',
    mayUseReplica: true,
    run: async (records, [domain, fields], kwargs) =>
      new RawJson(
        await records.searchReadJson(
          readDomain(domain, 'domain'),
          readProjection(fields, 'fields'),
          readSearchOptions(kwargs),
        ),
      ),
  },
  read: {
    summary: 'Records by id, in the order of the ids.',
    args: ['ids', 'fields?'],
    kwargs: [],
    result: 'array of records',
    needs: 'read',
    run: async (records, [ids, fields]) =>
      new RawJson(await records.readJson(readIds(ids, 'ids'), readProjection(fields, 'fields'))),
  },
  read_group: {
    summary: 'Groups of records with counts and measures, computed by the database.',
    args: ['spec'],
    kwargs: [],
    result: 'array of group rows',
    needs: 'read',
    run: async (records, [spec]) => {
      const rows = await records.readGroup(readGroupSpec(spec, 'spec'));
      return new RawJson(await writeAnswer(rows, toJson));
    },
  },
  call: {
    summary: 'Runs an object action of the model on a record, or on `active_ids` when the id is 0.',
    args: ['id', 'action_name', 'vals?'],
    kwargs: ['dry_run'],
    result: '`true` or `{redirect}`',
    needs: 'write',
    run: async (records, [id, action, vals]) => {
      const params = readTextMap(vals, 'vals');
      const name = readActionName(action, 'action_name');
      return (await records.call(selection(id, params.active_ids), name, params)) ?? true;
    },
  },
  create: {
    summary: 'Creates one record.',
    args: ['values'],
    kwargs: ['dry_run'],
    result: 'id of the new record',
    needs: 'create',
    run: (records, [values]) => records.create(readValues(values, 'values')),
    atOnce: ([values]) => (isRecord(values) ? { operation: 'create', values } : null),
  },
  write: {
    summary: 'Changes records. With `base`, merges changes that others made since.',
    args: ['ids', 'values'],
    kwargs: ['base', 'dry_run'],
    result: '`true`',
    needs: 'write',
    run: (records, [ids, values], { base }) =>
      records.write(
        readIds(ids, 'ids'),
        readValues(values, 'values'),
        base === undefined || base === null ? {} : { base: readValues(base, 'base') },
      ),
    atOnce: ([ids, values], { base = null }) => {
      if (!Array.isArray(ids) || ids.length !== 1 || !isId(ids[0]) || ids[0] > maxId) return null;
      if (!isRecord(values) || !(base === null || isRecord(base))) return null;
      return { operation: 'write', id: ids[0], values, base };
    },
  },
  unlink: {
    summary: 'Deletes records.',
    args: ['ids'],
    kwargs: ['dry_run'],
    result: '`true`',
    needs: 'unlink',
    run: (records, [ids]) => records.unlink(readIds(ids, 'ids')),
  },
  create_many: {
    summary:
      'Creates up to 10,000 records, all or none. With `external_ids`, each gets the name at its position; with `upsert`, existing records are written.',
    args: ['[values, …]'],
    isVariadic: true,
    kwargs: ['external_ids', 'upsert', 'dry_run'],
    result: 'array of ids',
    needs: 'create',
    run: (records, args, kwargs, { env, model }) => {
      const rows = readManyValues(args);
      const options = readPutOptions(kwargs);
      return options ? putMany(env, model, rows, options) : records.createMany(rows);
    },
  },
  write_many: {
    summary:
      'Changes up to 10,000 records, all or none. With `each`, every record gets its own values and base, in addition to the common ones.',
    args: ['ids', 'values'],
    kwargs: ['each', 'dry_run'],
    result: '`true`',
    needs: 'write',
    run: (records, [ids, values], { each }) => {
      const common = readValues(values, 'values');
      if (each === undefined || each === null) return records.write(readIds(ids, 'ids'), common);
      return records.writeEach(readEach(readIds(ids, 'ids'), common, each));
    },
  },
  unlink_many: {
    summary: 'Deletes up to 10,000 records, all or none.',
    args: ['ids'],
    kwargs: ['dry_run'],
    result: '`true`',
    needs: 'unlink',
    run: (records, [ids]) => records.unlink(readIds(ids, 'ids')),
  },
  onchange: {
    summary:
      'The effects of a change in a form: values, a warning, domains. `[{}, []]` returns the defaults. With `action` and `active_ids`: the initial values of the dialog; `values` are answers.',
    args: ['values', 'fields'],
    kwargs: ['id', 'action', 'active_ids'],
    result: '`{value, warning?, domain?}`',
    needs: 'read',
    run: async (records, [values, fields], { id, action, active_ids: activeIds }) => {
      if (action !== undefined) {
        const name = readActionName(action, 'action');
        return records.proposeAnswers(readIds(activeIds, 'active_ids'), name, readValues(values, 'values'));
      }
      const given = id === undefined || id === null ? {} : { id: readId(id, 'id') };
      const answer = await records.onchange(readValues(values, 'values'), readFieldNames(fields, 'fields'), given);
      return { ...answer, value: answer.value ?? {} };
    },
  },
} satisfies Record<string, RpcMethod>;

export const rpcMethods: ReadonlyMap<string, RpcMethod> = new Map(Object.entries(table));

/** The record, or with id 0 the selection in `active_ids`. */
function selection(id: unknown, activeIds: string | undefined): readonly number[] {
  if (id !== 0) return [readId(id, 'id')];
  const parts = (activeIds ?? '').split(',').filter((part) => part.trim() !== '');
  if (parts.length === 0) throw invalidArgs('With id 0, vals.active_ids names the records.', { field: 'active_ids' });
  return readIds(
    parts.map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : null)),
    'active_ids',
  );
}

/** JSON text that is inserted into the envelope unchanged. */
export class RawJson {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Parsers of single arguments. Each describes in one sentence what it expects; the method table combines them. */
type Reader<T> = (value: unknown, name: string) => T;

export const maxIds = 10_000;
export const maxLimit = 500;
/** The largest possible record id. */
const maxId = 2_147_483_647;

const readDomain: Reader<DomainNode> = (value, name) => {
  if (value === undefined || value === null) return parseDomain([]);
  if (!Array.isArray(value)) throw invalidArgs(`${name} must be a domain: an array of conditions.`, { field: name });
  return parseDomain(value);
};

const readProjection: Reader<Projection | undefined> = (value, name) => {
  if (value === undefined || value === null) return undefined;
  if (!isProjection(value, 0)) {
    throw invalidArgs(`${name} must be an array of field paths or nested projections.`, { field: name });
  }
  return value;
};

function isProjection(value: unknown, depth: number): value is Projection {
  if (!Array.isArray(value) || depth > 8) return false;
  return value.every(
    (item) =>
      typeof item === 'string' ||
      (isRecord(item) && Object.values(item).every((inner) => isProjection(inner, depth + 1))),
  );
}

const readId: Reader<number> = (value, name) => {
  if (isId(value)) return value;
  throw invalidArgs(`${name} must be a record id: a positive integer.`, { field: name });
};

const readIds: Reader<readonly number[]> = (value, name) => {
  if (!Array.isArray(value) || !value.every(isId))
    throw invalidArgs(`${name} must be an array of record ids.`, { field: name });
  if (value.length > maxIds) throw invalidArgs(`${name} holds more than ${maxIds} ids.`, { field: name, max: maxIds });
  return value;
};

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

const readValues: Reader<Values> = (value, name) => {
  if (isRecord(value)) return value;
  throw invalidArgs(`${name} must be an object of field values.`, { field: name });
};

/** `[[v1, v2, …]]`, and `[[v1], [v2]]` as well. */
function readManyValues(args: readonly unknown[]): readonly Values[] {
  if (args.length === 0 || !args.every(Array.isArray)) {
    throw invalidArgs('args must be [[values, values, …]].', { field: 'args' });
  }
  const rows = (args as unknown[][]).flat();
  if (rows.length > maxIds) throw invalidArgs(`More than ${maxIds} rows in one call.`, { field: 'args', max: maxIds });
  return rows.map((row, index) => readValues(row, `args[0][${index}]`));
}

/** Null: plain creation. */
function readPutOptions({ external_ids: names, upsert }: Kwargs): PutOptions | null {
  const isNamed = names !== undefined && names !== null;
  if (isNamed && !(Array.isArray(names) && names.every((name) => name === null || typeof name === 'string'))) {
    throw invalidArgs('external_ids must be an array of texts, one for each row.', { field: 'external_ids' });
  }
  const externalIds = isNamed ? (names as readonly (string | null)[]) : null;
  if (typeof upsert === 'string') return { externalIds, upsert: { field: upsert } };
  const writes = readFlag(upsert, 'upsert');
  if (writes && externalIds === null)
    throw invalidArgs('upsert goes by external_ids, or by the field that it names.', { field: 'upsert' });
  return externalIds === null ? null : { externalIds, upsert: writes ? 'external_ids' : null };
}

function readEach(ids: readonly number[], common: Values, each: unknown): readonly RowWrite[] {
  if (!Array.isArray(each) || each.length !== ids.length) {
    throw invalidArgs(`each has one {values, base} for each id: ${ids.length}.`, { field: 'each' });
  }
  return ids.map((id, index) => {
    const { values = {}, base, ...others } = readValues(each[index], `each[${index}]`);
    const [other] = Object.keys(others);
    if (other !== undefined) throw invalidArgs(`each[${index}] has values and base.`, { field: other });
    const own = { ...common, ...readValues(values, `each[${index}].values`) };
    return base === undefined || base === null
      ? { id, values: own }
      : { id, values: own, base: readValues(base, `each[${index}].base`) };
  });
}

const readText: Reader<string> = (value, name) => {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgs(`${name} must be a text that is not empty.`, { field: name });
};

/** The author's name of an action: external callers prefix it with `action_`. */
const readActionName: Reader<string> = (value, name) => {
  const wire = readText(value, name);
  const known = authorName(wire);
  if (known !== null) return known;
  const shown = wire.slice(0, 80);
  throw new KontorError('ACTION_NOT_FOUND', `There is no action "${shown}": their names begin with "action_".`, {
    action: shown,
  });
};

export const readFlag: Reader<boolean> = (value, name) => {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw invalidArgs(`${name} must be true or false.`, { field: name });
};

const readTextMap: Reader<Readonly<Record<string, string>>> = (value, name) => {
  if (value === undefined || value === null) return {};
  if (isRecord(value) && Object.values(value).every((item) => typeof item === 'string')) {
    return value as Record<string, string>;
  }
  throw invalidArgs(`${name} must map names to texts.`, { field: name });
};

/** One field name or several. */
const readFieldNames: Reader<readonly string[]> = (value, name) => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw invalidArgs(`${name} must be a field name or an array of them.`, { field: name });
};

/** The maximum is the default, and larger values are capped. */
const readLimit: Reader<number> = (value, name) => {
  if (value === undefined || value === null) return maxLimit;
  return Math.min(wholeNumber(value, name), maxLimit);
};

const readOffset: Reader<number> = (value, name) => {
  return value === undefined || value === null ? 0 : wholeNumber(value, name);
};

function wholeNumber(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw invalidArgs(`${name} must be a whole number, zero or more.`, { field: name });
}

function readSearchOptions(kwargs: Readonly<Record<string, unknown>>): SearchOptions {
  const order = kwargs.order;
  const page = { limit: readLimit(kwargs.limit, 'limit'), offset: readOffset(kwargs.offset, 'offset') };
  if (order === undefined || order === null) return page;
  return { ...page, order: readText(order, 'order') };
}

/** The records check the rest. */
const readGroupSpec: Reader<GroupQuery> = (value, name) => {
  if (!isRecord(value))
    throw invalidArgs(`${name} must be an object with domain, groupby and fields.`, { field: name });
  const { fields = [], ...rest } = value;
  return {
    ...rest,
    domain: readDomain(value.domain, 'domain'),
    groupby: readFieldNames(value.groupby ?? [], 'groupby'),
    fields: fields as GroupQuery['fields'],
  };
};
