import type { DryRun, GroupRow, GroupSpec, OnchangeAnswer } from '@kontor/protocol';
import { ConflictError, RpcError, toError } from './errors.ts';
import type { Receipt, Transport } from './transport.ts';
import type {
  ActionsOf,
  DomainOf,
  FieldPath,
  NewOf,
  OrderOf,
  Projected,
  ProjectionOf,
  RecordOf,
  ValuesOf,
} from './types.ts';

export interface SearchOptionsOf<Models, Name extends keyof Models> {
  /** 500 by default, and at most. */
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: OrderOf<Models, Name>;
}

export interface AllOptions<Models, Name extends keyof Models> {
  /** By default sorted by id, so that records created or deleted meanwhile do not shift pages. */
  readonly order?: OrderOf<Models, Name>;
  /** Records per call; 500 at most. */
  readonly page?: number;
}

export interface WriteOptions<Models, Name extends keyof Models> {
  /** The values that the caller saw. Changes by others are merged, or raise a ConflictError. */
  readonly base?: Partial<RecordOf<Models, Name>>;
}

export interface WriteEach<Models, Name extends keyof Models> extends WriteOptions<Models, Name> {
  readonly id: number;
  readonly values: ValuesOf<Models, Name>;
}

export interface PutOptions {
  /** A name for each record, such as `erp.customer_17`; null for none. */
  readonly externalIds?: readonly (string | null)[];
  /** Updates existing records: by external id, or by a unique field. */
  readonly upsert?: boolean | string;
}

/** The values for fields in conflict. Omitted fields keep the server's value. */
export type Resolve<Models, Name extends keyof Models> = (
  conflict: ConflictError,
) => ValuesOf<Models, Name> | Promise<ValuesOf<Models, Name>>;

/** Methods that change something; their result depends on how they are called. */
export interface Changes<Models, Name extends keyof Models, Way extends 'plain' | 'dry' | 'receipt'> {
  create(values: NewOf<Models, Name>): Promise<Answer<Way, number>>;
  /**
   * Ids in the order of the rows. One call takes 10,000 records and 4 MB, all or none. More are sent in several calls: if a later
   * one fails, its error has the ids of those before it in `details.created_ids`. `dryRun` and `receipt` are always one call.
   */
  createMany(
    rows: readonly (NewOf<Models, Name> | ValuesOf<Models, Name>)[],
    options?: PutOptions,
  ): Promise<Answer<Way, readonly number[]>>;
  write(
    ids: number | readonly number[],
    values: ValuesOf<Models, Name>,
    options?: WriteOptions<Models, Name>,
  ): Promise<Answer<Way, true>>;
  /** Each record with its own values and base, all or none. */
  writeEach(rows: readonly WriteEach<Models, Name>[]): Promise<Answer<Way, true>>;
  unlink(ids: number | readonly number[]): Promise<Answer<Way, true>>;
  /** Runs an action, on one record or on several, with answers to what it asks. */
  call<Action extends Extract<keyof ActionsOf<Models, Name>, string>>(
    ids: number | readonly number[],
    action: Action,
    answers?: Partial<ActionsOf<Models, Name>[Action]>,
  ): Promise<Answer<Way, true | { readonly redirect: string }>>;
}

type Answer<Way, Result> = Way extends 'dry' ? DryRun<Result> : Way extends 'receipt' ? Receipt<Result> : Result;

/** The records of one model, as far as the caller may see them. */
export interface RecordsOf<Models, Name extends keyof Models> extends Changes<Models, Name, 'plain'> {
  /** Records, not ids as in the code of addons, with their default fields: no files and no x2many. */
  search(
    domain?: DomainOf<Models, Name>,
    options?: SearchOptionsOf<Models, Name>,
  ): Promise<readonly RecordOf<Models, Name>[]>;
  /** Records with exactly the requested fields. */
  searchRead<const Asked extends ProjectionOf<Models, Name>>(
    domain: DomainOf<Models, Name>,
    fields: Asked,
    options?: SearchOptionsOf<Models, Name>,
  ): Promise<readonly Projected<Models, Name, Asked>[]>;
  /** In the order of the ids; one that is not there is a NotFoundError. */
  read<const Asked extends ProjectionOf<Models, Name>>(
    ids: readonly number[],
    fields: Asked,
  ): Promise<readonly Projected<Models, Name, Asked>[]>;
  /** Every record that matches, however many, a page at a time. */
  all<const Asked extends ProjectionOf<Models, Name>>(
    domain: DomainOf<Models, Name>,
    fields: Asked,
    options?: AllOptions<Models, Name>,
  ): AsyncGenerator<Projected<Models, Name, Asked>, void, undefined>;
  readGroup(spec: Partial<GroupSpec>): Promise<readonly GroupRow[]>;
  count(domain?: DomainOf<Models, Name>): Promise<number>;
  onchange(
    values: ValuesOf<Models, Name>,
    changed: FieldPath<Models, Name> | readonly FieldPath<Models, Name>[],
    id?: number,
  ): Promise<OnchangeAnswer>;
  /**
   * Writes what the caller changed since `base`. Where others changed the same, `resolve` says what it shall be, with what they
   * wrote as the new base, until nothing is in conflict. What it leaves out stays theirs.
   */
  save(
    id: number,
    values: ValuesOf<Models, Name>,
    base: Partial<RecordOf<Models, Name>>,
    resolve: Resolve<Models, Name>,
  ): Promise<void>;
  /** Records by the names that programs gave them. Those that are not there are left out. */
  byExternalId(externalIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The same calls, taken back at once: they tell what would have happened. */
  readonly dryRun: Changes<Models, Name, 'dry'>;
  /** The same calls, which also tell the change set by which they can be undone. */
  readonly receipt: Changes<Models, Name, 'receipt'>;
}

const mostResolved = 10;
export const pageSize = 500;

// Over 60 lines: a list of the methods of a model, each a few lines.
export function recordsOf<Models, Name extends keyof Models>(
  transport: Transport,
  model: string,
): RecordsOf<Models, Name> {
  const send = <T>(method: string, args: readonly unknown[], kwargs: object = {}): Promise<Receipt<T>> =>
    transport.send<T>({ model, method, args, kwargs: { ...kwargs } });
  const ask = async <T>(method: string, args: readonly unknown[], kwargs: object = {}): Promise<T> =>
    (await send<T>(method, args, kwargs)).result;

  const changes = (change: (method: string, args: readonly unknown[], kwargs?: object) => Promise<unknown>) => ({
    create: (values: unknown) => change('create', [values]),
    createMany: (rows: unknown, { externalIds, upsert }: PutOptions = {}) =>
      change('create_many', [rows], {
        ...(externalIds ? { external_ids: externalIds } : {}),
        ...(upsert === undefined ? {} : { upsert }),
      }),
    write: (ids: number | readonly number[], values: unknown, options: { base?: unknown } = {}) =>
      change('write', [listOf(ids), values], options.base === undefined ? {} : { base: options.base }),
    writeEach: (rows: readonly { id: number; values: unknown; base?: unknown }[]) =>
      change('write_many', [rows.map(({ id }) => id), {}], {
        each: rows.map(({ values, base }) => (base === undefined ? { values } : { values, base })),
      }),
    unlink: (ids: number | readonly number[]) => change('unlink', [listOf(ids)]),
    call: (ids: number | readonly number[], action: string, answers: object = {}) =>
      typeof ids === 'number'
        ? change('call', [ids, action, answers])
        : change('call', [0, action, { ...answers, active_ids: ids.join(',') }]),
  });

  const single = changes(ask);
  const plain = { ...single, createMany: inParts(single.createMany) };
  const records = {
    ...plain,
    dryRun: changes((method, args, kwargs) => ask(method, args, { ...kwargs, dry_run: true })),
    receipt: changes(send),
    search: (domain: unknown = [], options: object = {}) => ask('search', [domain], options),
    searchRead: (domain: unknown, fields: unknown, options: object = {}) =>
      ask('search_read', [domain, fields], options),
    read: (ids: readonly number[], fields: unknown) => ask('read', [ids, fields]),
    all: (domain: readonly unknown[], fields: readonly unknown[], options: { order?: string; page?: number } = {}) =>
      pages((conditions, page) => ask('search_read', [conditions, fields], page), domain, options),
    readGroup: (spec: object) => ask('read_group', [{ domain: [], groupby: [], fields: [], ...spec }]),
    async count(domain: unknown = []) {
      const [row] = await ask<readonly GroupRow[]>('read_group', [{ domain, groupby: [], fields: [] }]);
      return row?.__count ?? 0;
    },
    onchange: (values: unknown, changed: unknown, id?: number) =>
      ask('onchange', [values, changed], id === undefined ? {} : { id }),
    async save(
      id: number,
      values: object,
      base: object,
      resolve: (conflict: ConflictError) => object | Promise<object>,
    ) {
      let [wanted, seen] = [values, base];
      for (let attempt = 1; ; attempt++) {
        try {
          await plain.write(id, wanted, { base: seen });
          return;
        } catch (error) {
          const isOurs = error instanceof ConflictError && Object.keys(error.fields).length > 0;
          if (!isOurs || attempt >= mostResolved) throw error;
          const others = Object.entries(wanted).filter(([name]) => !(name in error.fields));
          wanted = { ...Object.fromEntries(others), ...(await resolve(error)) };
          seen = { ...seen, ...error.theirs };
        }
      }
    },
    async byExternalId(externalIds: readonly string[]) {
      const found = new Map<string, number>();
      for (const some of chunks(externalIds, pageSize)) {
        const { result } = await transport.send<readonly { external_id: string; res_id: number }[]>({
          model: 'sys.external.id',
          method: 'search_read',
          args: [
            [
              ['model', '=', model],
              ['external_id', 'in', some],
            ],
            ['external_id', 'res_id'],
          ],
        });
        for (const { external_id: name, res_id: id } of result) found.set(name, id);
      }
      return found;
    },
  };
  return records as unknown as RecordsOf<Models, Name>;
}

/** What one `create_many` takes: so many records, and a body of 4 MB with its other arguments. */
const mostCreated = 10_000;
const mostBytes = 3_900_000;

type CreateMany = (rows: unknown, options?: PutOptions) => Promise<unknown>;

function inParts(createMany: CreateMany): CreateMany {
  return async (rows, { externalIds, ...options } = {}) => {
    const parts = Array.isArray(rows) ? partsOf(rows, externalIds) : [];
    if (parts.length <= 1) return createMany(rows, externalIds ? { ...options, externalIds } : options);
    const created: number[] = [];
    for (const { from, to } of parts) {
      const names = externalIds ? { externalIds: externalIds.slice(from, to) } : {};
      try {
        const part = (rows as readonly unknown[]).slice(from, to);
        created.push(...((await createMany(part, { ...options, ...names })) as number[]));
      } catch (error) {
        throw error instanceof RpcError && from > 0 ? laterError(error, created, from) : error;
      }
    }
    return created;
  };
}

/** Where each call begins and ends, by number and by size. A row that is too large alone is left to the server's answer. */
function partsOf(
  rows: readonly unknown[],
  names: PutOptions['externalIds'],
): readonly { readonly from: number; readonly to: number }[] {
  const encoder = new TextEncoder();
  const bytesOf = (value: unknown) => encoder.encode(JSON.stringify(value) ?? 'null').length + 1;
  const parts: { from: number; to: number }[] = [];
  let [from, bytes] = [0, 0];
  for (const [at, row] of rows.entries()) {
    const size = bytesOf(row) + (names ? bytesOf(names[at]) : 0);
    if (at > from && (at - from >= mostCreated || bytes + size > mostBytes)) {
      parts.push({ from, to: at });
      [from, bytes] = [at, 0];
    }
    bytes += size;
  }
  return [...parts, { from, to: rows.length }];
}

/** Tells places of rows as the caller counts them, and which records exist. */
function laterError(
  { code, message, details, status, requestId }: RpcError,
  created: number[],
  from: number,
): RpcError {
  const rows = details.rows as readonly { index: number }[] | undefined;
  const moved = rows ? { rows: rows.map((row) => ({ ...row, index: row.index + from })) } : {};
  return toError({ code, message, details: { ...details, ...moved, created_ids: created }, status, requestId });
}

type Ask = (domain: readonly unknown[], kwargs: object) => Promise<readonly { readonly id: number }[]>;

/**
 * By id each page begins after the last record of the one before, so that nothing is told twice or left out while records come
 * and go. In another order pages are counted off, with the id to break ties.
 */
async function* pages(
  ask: Ask,
  domain: readonly unknown[],
  { order, page = pageSize }: { order?: string; page?: number },
) {
  const limit = Math.min(page, pageSize);
  const isDown = order === '-id';
  const isById = order === undefined || order === 'id' || isDown;
  let last: number | null = null;
  for (let offset = 0; ; offset += limit) {
    const rest = last === null ? [] : [['id', isDown ? '<' : '>', last]];
    const kwargs = isById ? { order: order ?? 'id', limit } : { order: `${order}, id`, limit, offset };
    const rows = await ask([...domain, ...rest], kwargs);
    yield* rows;
    if (rows.length < limit) return;
    if (isById) last = rows.at(-1)?.id ?? null;
  }
}

function listOf(ids: number | readonly number[]): readonly number[] {
  return typeof ids === 'number' ? [ids] : ids;
}

export function chunks<T>(items: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}
