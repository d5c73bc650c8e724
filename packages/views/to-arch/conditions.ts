import type { Field, Model } from '@kontor/orm';
import {
  type Condition,
  type Domain,
  disjoin,
  type FieldNode,
  mapConditions,
  parseDomain,
  serializeDomain,
} from '@kontor/protocol';
import { looks } from '../grammar/attributes.ts';
import { type ArchScope, needValue, readablePath } from './arch-scope.ts';
import { pick, type Values } from './values-of.ts';

/** What is taken for a condition on a field that the viewer may not read: the careful answer. */
const unreadable = { invisible: true, readonly: true, required: false } as const;

type Conditions = Pick<FieldNode, 'invisible' | 'readonly' | 'required'>;

/** `invisible`, `readonly` and `required` of a node; the records get the values that they speak of. */
export function conditionsOf(scope: ArchScope, values: Values): Partial<Conditions> {
  const conditions: Record<string, unknown> = {};
  for (const name of ['invisible', 'readonly', 'required'] as const) {
    const condition = values[name] as Condition | undefined;
    if (condition === undefined || (name === 'invisible' && condition === false)) continue;
    conditions[name] = typeof condition === 'boolean' ? condition : (needed(scope, condition) ?? unreadable[name]);
  }
  return pick<Conditions>(conditions, ['invisible', 'readonly', 'required']);
}

/** A field that is locked in some states is readonly in them, whatever else the view says of it. */
export function withLock(scope: ArchScope, field: Field, conditions: Partial<Conditions>): Partial<Conditions> {
  const { states } = scope.model;
  const closed = [...(states?.locks ?? [])].filter(([, names]) => names.has(field.name)).map(([state]) => state);
  if (!states || closed.length === 0 || conditions.readonly === true) return conditions;
  const lock = needed(scope, [[states.field, 'in', closed]]);
  if (lock === null) return { ...conditions, readonly: true };
  if (!Array.isArray(conditions.readonly)) return { ...conditions, readonly: lock };
  return { ...conditions, readonly: serializeDomain(disjoin(parseDomain(lock), parseDomain(conditions.readonly))) };
}

/** Row and card looks by condition. */
export function decorationsOf(scope: ArchScope, values: Values) {
  const decorations = looks.flatMap((look) => {
    const when = values[`decoration${look[0]?.toUpperCase()}${look.slice(1)}`] as Condition | undefined;
    const readable = typeof when === 'object' ? needed(scope, when) : when || null;
    return readable === null ? [] : [{ look, when: readable }];
  });
  return decorations.length > 0 ? { decorations } : {};
}

function needed(scope: ArchScope, domain: Domain): Domain | null {
  if (!isReadable(scope, domain)) return null;
  for (const path of pathsOf(domain)) needValue(scope, path);
  return domain;
}

/** Whether the viewer may read every field that a domain on the model asks about. */
export function isReadable(scope: ArchScope, domain: Domain, model: Model = scope.model): boolean {
  return pathsOf(domain).every((path) => readablePath(scope, path, model) !== null);
}

function pathsOf(domain: Domain): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  mapConditions(parseDomain(domain), (condition) => {
    paths.push(condition.path);
    return condition;
  });
  return paths;
}
