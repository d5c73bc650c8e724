import type { Domain, GroupRow, GroupSpec, RpcRequest, SearchOptions, WireRecord } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { type RequestOptions, request } from './request.ts';

export type { Values, WireRecord as RecordValues } from '@kontor/protocol';
export type RpcCall = Omit<RpcRequest, 'kwargs'> & Partial<RpcRequest>;

/** The result of a call, and the change set that undoes it (0 if nothing changed, or it cannot be undone). */
export interface RpcReceipt<T> {
  readonly result: T;
  readonly changeSet: number;
}

/** All access to record data goes through here. Throws ClientError. */
export async function rpcReceipt<T>(call: RpcCall, options: RequestOptions = {}): Promise<RpcReceipt<T>> {
  const { body, headers } = await request<{ result: T }>(bootstrap().rpcUrl, { ...options, json: call });
  const canUndo = headers.get('x-undo') !== 'no';
  const changeSet = canUndo ? Number(headers.get('x-change-set') ?? 0) : 0;
  return { result: body.result, changeSet };
}

/** Records a change in the user's history. If its code cannot be loaded, only the history is lost. */
export function history(write: (book: typeof import('./change-history.ts')) => void): void {
  import('./change-history.ts').then(write, () => {});
}

/** Calls the RPC endpoint with the session of the page. */
export async function rpc<T>(call: RpcCall, options: RequestOptions = {}): Promise<T> {
  return (await rpcReceipt<T>(call, options)).result;
}

/** Reads fields of the records that match a domain. */
export function searchRead(
  model: string,
  domain: Domain,
  fields: readonly unknown[],
  kwargs: SearchOptions = {},
  options: RequestOptions = {},
): Promise<readonly WireRecord[]> {
  return rpc({ model, method: 'search_read', args: [domain, fields], kwargs: { ...kwargs } }, options);
}

/** Reads fields of records by id, in that order. */
export function read(
  model: string,
  ids: readonly number[],
  fields: readonly unknown[],
  options: RequestOptions = {},
): Promise<readonly WireRecord[]> {
  return rpc({ model, method: 'read', args: [ids, fields] }, options);
}

/** Counts and sums by group. */
export function readGroup(model: string, spec: GroupSpec, options: RequestOptions = {}): Promise<readonly GroupRow[]> {
  return rpc({ model, method: 'read_group', args: [spec] }, options);
}
