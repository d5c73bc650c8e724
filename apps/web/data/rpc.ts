import type { Domain } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { type RequestOptions, request } from './request.ts';

export type Values = Readonly<Record<string, unknown>>;
export type RecordValues = { readonly id: number } & Values;

export interface RpcCall {
  readonly model: string;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly kwargs?: Values;
}

/** What a call gave back, and the change set that undoes it (0 when nothing changed). */
export interface RpcReceipt<T> {
  readonly result: T;
  readonly changeSet: number;
}

/** The one door to record data. Throws ClientError. */
export async function rpcReceipt<T>(call: RpcCall, options: RequestOptions = {}): Promise<RpcReceipt<T>> {
  const { body, headers } = await request<{ result: T }>(bootstrap().rpcUrl, { ...options, json: call });
  return { result: body.result, changeSet: Number(headers.get('x-change-set') ?? 0) };
}

export async function rpc<T>(call: RpcCall, options: RequestOptions = {}): Promise<T> {
  return (await rpcReceipt<T>(call, options)).result;
}

export interface SearchReadOptions {
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: string;
}

export function searchRead(
  model: string,
  domain: Domain,
  fields: readonly unknown[],
  kwargs: SearchReadOptions = {},
  options: RequestOptions = {},
): Promise<readonly RecordValues[]> {
  return rpc({ model, method: 'search_read', args: [domain, fields], kwargs: { ...kwargs } }, options);
}

export function read(
  model: string,
  ids: readonly number[],
  fields: readonly unknown[],
  options: RequestOptions = {},
): Promise<readonly RecordValues[]> {
  return rpc({ model, method: 'read', args: [ids, fields] }, options);
}

export interface GroupSpec {
  readonly domain: Domain;
  readonly groupby: readonly string[];
  readonly fields: readonly { readonly name: string; readonly field: string; readonly measure: string }[];
  readonly limit?: number;
  readonly offset?: number;
  readonly order?: string;
}

export function readGroup(model: string, spec: GroupSpec, options: RequestOptions = {}): Promise<readonly Values[]> {
  return rpc({ model, method: 'read_group', args: [spec] }, options);
}
