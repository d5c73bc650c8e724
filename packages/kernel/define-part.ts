import type { Env, ModelDefinition } from '@kontor/orm';
import type { SignalName } from './runtime/signals.ts';

/** What is read from the database once for each key and kept until one of the signals says that it is old. */
export interface CacheSpec<Key, Value> {
  /** A change of modules drops every cache. */
  readonly droppedBy: readonly Exclude<SignalName, 'modules'>[];
  /** Reads as the system. A failed read is not kept. */
  readonly load: (env: Env, key: Key) => Promise<Value>;
}

export interface PartSpec {
  readonly name: string;
  /** They belong to the module `base`, which lists them. */
  readonly models?: readonly ModelDefinition[];
  readonly caches?: readonly CacheSpec<never, unknown>[];
}

/** A part of the running application, as data: the kernel asks every part and knows none by name. */
export interface Part extends Required<PartSpec> {}

export function definePart(spec: PartSpec): Part {
  return Object.freeze({ models: [], caches: [], ...spec });
}
