import { authorName, type GroupQuery } from '@kontor/orm';
import {
  type DomainNode,
  invalidArgs,
  KontorError,
  type Projection,
  parseDomain,
  type SearchOptions,
  type Values,
} from '@kontor/protocol';
import { isRecord } from './request.ts';

/** Readers of single arguments. Each says in one sentence what it expected; the method table puts them together. */
export type Reader<T> = (value: unknown, name: string) => T;

export const maxIds = 10_000;
export const maxLimit = 500;
const maxId = 2_147_483_647;

export const domain: Reader<DomainNode> = (value, name) => {
  if (value === undefined || value === null) return parseDomain([]);
  if (!Array.isArray(value)) throw invalidArgs(`${name} must be a domain: an array of conditions.`, { field: name });
  return parseDomain(value);
};

export const projection: Reader<Projection | undefined> = (value, name) => {
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

export const id: Reader<number> = (value, name) => {
  if (isId(value)) return value;
  throw invalidArgs(`${name} must be a record id: a positive integer.`, { field: name });
};

export const ids: Reader<readonly number[]> = (value, name) => {
  if (!Array.isArray(value) || !value.every(isId))
    throw invalidArgs(`${name} must be an array of record ids.`, { field: name });
  if (value.length > maxIds) throw invalidArgs(`${name} holds more than ${maxIds} ids.`, { field: name, max: maxIds });
  return value;
};

function isId(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) <= maxId;
}

export const values: Reader<Values> = (value, name) => {
  if (isRecord(value)) return value;
  throw invalidArgs(`${name} must be an object of field values.`, { field: name });
};

/** `[[v1, v2, …]]`, and `[[v1], [v2]]` as well. */
export function manyValues(args: readonly unknown[]): readonly Values[] {
  if (args.length === 0 || !args.every(Array.isArray)) {
    throw invalidArgs('args must be [[values, values, …]].', { field: 'args' });
  }
  const rows = (args as unknown[][]).flat();
  if (rows.length > maxIds) throw invalidArgs(`More than ${maxIds} rows in one call.`, { field: 'args', max: maxIds });
  return rows.map((row, index) => values(row, `args[0][${index}]`));
}

export const text: Reader<string> = (value, name) => {
  if (typeof value === 'string' && value !== '') return value;
  throw invalidArgs(`${name} must be a text.`, { field: name });
};

/** The author's name of an action: outside it begins with `action_`. */
export const actionName: Reader<string> = (value, name) => {
  const wire = text(value, name);
  const known = authorName(wire);
  if (known !== null) return known;
  const shown = wire.slice(0, 80);
  throw new KontorError('ACTION_NOT_FOUND', `There is no action "${shown}": their names begin with "action_".`, {
    action: shown,
  });
};

export const flag: Reader<boolean> = (value, name) => {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  throw invalidArgs(`${name} must be true or false.`, { field: name });
};

export const textMap: Reader<Readonly<Record<string, string>>> = (value, name) => {
  if (value === undefined || value === null) return {};
  if (isRecord(value) && Object.values(value).every((item) => typeof item === 'string')) {
    return value as Record<string, string>;
  }
  throw invalidArgs(`${name} must map names to texts.`, { field: name });
};

/** One field name or several. */
export const fieldNames: Reader<readonly string[]> = (value, name) => {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw invalidArgs(`${name} must be a field name or an array of them.`, { field: name });
};

/** The default is the cap, and more than the cap means the cap. */
export const limit: Reader<number> = (value, name) => {
  if (value === undefined || value === null) return maxLimit;
  return Math.min(wholeNumber(value, name), maxLimit);
};

export const offset: Reader<number> = (value, name) => {
  return value === undefined || value === null ? 0 : wholeNumber(value, name);
};

function wholeNumber(value: unknown, name: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw invalidArgs(`${name} must be a whole number, zero or more.`, { field: name });
}

export function searchOptions(kwargs: Readonly<Record<string, unknown>>): SearchOptions {
  const order = kwargs.order;
  const page = { limit: limit(kwargs.limit, 'limit'), offset: offset(kwargs.offset, 'offset') };
  if (order === undefined || order === null) return page;
  return { ...page, order: text(order, 'order') };
}

/** The records check the rest of it. */
export const groupSpec: Reader<GroupQuery> = (value, name) => {
  if (!isRecord(value))
    throw invalidArgs(`${name} must be an object with domain, groupby and fields.`, { field: name });
  const { fields = [], ...rest } = value;
  return {
    ...rest,
    domain: domain(value.domain, 'domain'),
    groupby: fieldNames(value.groupby ?? [], 'groupby'),
    fields: fields as GroupQuery['fields'],
  };
};
