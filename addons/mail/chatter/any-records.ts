import type { Domain, Env, ModelName } from '@kontor/addon';

export type AnyRecord = { readonly id: number } & Readonly<Record<string, unknown>>;

/** Records of a model that is known by name only: a chatter stands beside any. */
export interface AnyRecords {
  search(domain: Domain): Promise<number[]>;
  searchRead(domain: Domain, fields: readonly string[]): Promise<AnyRecord[]>;
  read(ids: readonly number[], fields: readonly string[]): Promise<AnyRecord[]>;
}

export function anyRecords(env: Env, model: string): AnyRecords {
  return env.model(model as ModelName) as unknown as AnyRecords;
}
