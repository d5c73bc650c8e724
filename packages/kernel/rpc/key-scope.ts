import type { Scope } from '@kontor/orm';
import {
  accessDenied,
  type Domain,
  type DomainNode,
  type Operation,
  parseDomain,
  type RpcRequest,
} from '@kontor/protocol';
import { type RpcMethod, rpcMethods } from './methods.ts';

/** The scope of a key for one model: methods, records and fields. */
export interface ScopeEntry {
  readonly methods: readonly string[];
  /** Only records that it matches. */
  readonly domain?: Domain;
  /** Only these fields, besides `id` and the name of the record. */
  readonly fields?: readonly string[];
}

/** Methods by model, or methods with restrictions; `*` for every model. */
export type KeyScope = Readonly<Record<string, readonly string[] | ScopeEntry>>;

/** Actions and forms run their authors' code: allowing them does not allow access to the records that they use. */
const authored: ReadonlySet<string> = new Set(['call', 'onchange']);
const alwaysShown: ReadonlySet<string> = new Set(['id', 'display_name']);

/**
 * The scope of the caller's key in this call: the method on its model, and for other models in the call's paths everything that the
 * key's methods allow. Throws if it does not cover the call itself.
 */
export function scopeOf(scope: KeyScope | null, { needs }: RpcMethod, { model, method }: RpcRequest): Scope | null {
  if (scope === null) return null;
  const lists = (name: string, wanted: string) => methodsOf(entryOf(scope, name)).includes(wanted);
  const covers = (name: string, wanted: string) => lists(name, wanted) || lists('*', wanted);
  if (!covers(model, method)) {
    throw accessDenied(model, needs, 'model', {
      message: `This API key does not cover ${method} on ${model}.`,
      method,
    });
  }
  const isOwn = (name: string, operation: Operation) => name === model && (operation === needs || authored.has(method));
  const domains = new Map<string, DomainNode | null>();
  return {
    key: `${JSON.stringify(scope)} ${model} ${method}`,
    covers: (name, operation) => isOwn(name, operation) || methodsFor(operation).some((wanted) => covers(name, wanted)),
    domain(name) {
      const known = domains.get(name);
      if (known !== undefined) return known;
      const { domain } = moreOf(entryOf(scope, name));
      const node = domain === undefined ? null : parseDomain(domain);
      domains.set(name, node);
      return node;
    },
    hasField(name, field) {
      const { fields } = moreOf(entryOf(scope, name));
      return fields === undefined || alwaysShown.has(field) || fields.includes(field);
    },
  };
}

type Entry = KeyScope[string] | null;

function entryOf(scope: KeyScope, model: string): Entry {
  return Object.hasOwn(scope, model) ? (scope[model] ?? null) : null;
}

export function methodsOf(entry: Entry): readonly string[] {
  return entry === null ? [] : isList(entry) ? entry : entry.methods;
}

function moreOf(entry: Entry): Partial<ScopeEntry> {
  return entry === null || isList(entry) ? {} : entry;
}

function isList(entry: KeyScope[string]): entry is readonly string[] {
  return Array.isArray(entry);
}

function methodsFor(operation: Operation): readonly string[] {
  return [...rpcMethods].flatMap(([name, { needs }]) => (needs === operation && !authored.has(name) ? [name] : []));
}
