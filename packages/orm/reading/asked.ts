import { type AnyDomain, type DomainNode, domainTree, lruCache } from '@kontor/protocol';
import type { Model, OrderTerm } from '../model/model.ts';
import { parseOrder } from './order.ts';

/** One way in which a model was queried. It contains only names of fields, and no searched values. */
export interface Asked {
  readonly model: string;
  /** Stored fields that must have one value, or one of several; sorted by name. */
  readonly equal: readonly string[];
  /** Those with a lower or upper bound. */
  readonly range: readonly string[];
  /** As in `order`; empty if all records are read, as for a count. */
  readonly order: string;
}

/** The count since it was last taken, and the total duration. */
export interface AskedCount extends Asked {
  count: number;
  ms: number;
}

/** Models are queried in a few hundred ways; beyond the limit the least used are dropped. */
const mostWays = 1_000;
const ways = lruCache<string, AskedCount>(mostWays);
let counted = new Set<AskedCount>();

/** The counter of a query; equal queries share one. `order`: undefined means that of the model, null none. */
export function askedOf(model: Model, domain: AnyDomain | undefined, order: string | null | undefined): AskedCount {
  const equal = new Set<string>();
  const range = new Set<string>();
  noteConditions(model, domainTree(domain ?? []), equal, range);
  const way: Asked = {
    model: model.name,
    equal: [...equal].sort(),
    range: [...range].filter((name) => !equal.has(name)).sort(),
    order: order === null ? '' : orderOf(model, order),
  };
  const key = JSON.stringify([way.model, way.equal, way.range, way.order]);
  const known = ways.get(key);
  if (known) return known;
  const fresh = { ...way, count: 0, ms: 0 };
  ways.set(key, fresh);
  return fresh;
}

/** Counts a query after it is answered. It does not block, and nothing is written here. */
export async function counting<T>(asked: AskedCount, answer: Promise<T>): Promise<T> {
  const began = performance.now();
  const given = await answer;
  if (asked.count === 0) counted.add(asked);
  asked.count += 1;
  asked.ms += performance.now() - began;
  return given;
}

/** The queries since the last call. */
export function takeAsked(): readonly Readonly<AskedCount>[] {
  const taken = [...counted].map((asked) => ({ ...asked }));
  for (const asked of counted) Object.assign(asked, { count: 0, ms: 0 });
  counted = new Set();
  return taken;
}

const equalities: ReadonlySet<string> = new Set(['=', 'in', 'child_of']);
const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=']);

/** Only conditions that must all match: an index on one field does not find all alternatives. */
function noteConditions(model: Model, node: DomainNode, equal: Set<string>, range: Set<string>): void {
  if (node.kind === 'and') for (const one of node.nodes) noteConditions(model, one, equal, range);
  if (node.kind !== 'condition' || node.path.length !== 1) return;
  const name = node.path[0] as string;
  if (!isColumn(model, name)) return;
  if (equalities.has(node.operator)) equal.add(name);
  else if (comparisons.has(node.operator)) range.add(name);
}

/** As far as an index can support it: names of related records are in another table. */
function orderOf(model: Model, order: string | undefined): string {
  const asked = order === undefined ? [] : parseOrder(order);
  const terms = asked.length === 0 ? model.order : asked;
  const end = terms.findIndex((term) => !isSorted(model, term));
  const followed = end < 0 ? terms : terms.slice(0, end);
  return followed.map(({ path, descending }) => `${descending ? '-' : ''}${path[0]}`).join(', ');
}

function isSorted(model: Model, { path }: OrderTerm): boolean {
  const name = path[0] as string;
  return path.length === 1 && isColumn(model, name) && !model.fields.get(name)?.kind.isToOne;
}

function isColumn(model: Model, name: string): boolean {
  const field = model.fields.get(name);
  return field?.isStored === true && field.column !== null;
}
