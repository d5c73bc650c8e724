import { KontorError, type RouteRequest } from '@kontor/addon';

export const maxId = 2_147_483_647;

export type Fields = Readonly<Record<string, unknown>>;

/** Fields of a post, JSON or form. */
export function postFields({ body }: RouteRequest): Fields {
  if (typeof body === 'object' && body !== null && !Array.isArray(body) && !ArrayBuffer.isView(body))
    return body as Fields;
  throw new KontorError('INVALID_ARGS', 'The body must be an object or a form.');
}

export function textIn(fields: Fields, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw new KontorError('INVALID_ARGS', `${name} must be a text.`, { field: name });
}

/** An integer within bounds; `fallback` if it is absent, INVALID_ARGS if it is invalid. */
export function wholeIn<T>(fields: Fields, name: string, fallback: T, max = maxId): number | T {
  const text = textIn(fields, name).trim();
  if (text === '') return fallback;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new KontorError('INVALID_ARGS', `${name} must be a whole number from 1 to ${max}.`, { field: name });
}

export function idIn(fields: Fields, name: string): number {
  const id = wholeIn(fields, name, null);
  if (id === null) throw new KontorError('INVALID_ARGS', `${name} must be given.`, { field: name });
  return id;
}

/** The record; both of its parts are required. */
export function threadIn(fields: Fields): { readonly model: string; readonly id: number } {
  const model = textIn(fields, 'model');
  const id = wholeIn(fields, 'id', null, Number.MAX_SAFE_INTEGER);
  if (model === '') throw new KontorError('INVALID_ARGS', 'model must name a model.', { field: 'model' });
  if (id === null) throw new KontorError('INVALID_ARGS', 'id must name a record.', { field: 'id' });
  return { model, id };
}

/** Several records at once, separated by commas; null: none are named. */
export function idsIn(fields: Fields): readonly number[] | null {
  const given = textIn(fields, 'ids').trim();
  if (given === '') return null;
  const ids = given.split(',');
  if (ids.length <= 200 && ids.every((id) => /^[1-9]\d{0,8}$/.test(id))) return ids.map(Number);
  throw new KontorError('INVALID_ARGS', 'ids names at most 200 records.', { field: 'ids' });
}
