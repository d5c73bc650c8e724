import type { Operation } from '@kontor/protocol';
import { checkModelAccess } from '../access/model-access.ts';
import { checkCovered } from '../access/scope.ts';
import { knownField } from '../domain/known-field.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { castGiven } from './cast-values.ts';
import { checkFieldAccess, checkShape, isList } from './check-names.ts';

/** The values of a call as its caller gave them, cast: what hooks see. Nothing was looked up yet. */
export interface Given {
  readonly values: readonly Values[];
  readonly asked: Asked;
}

/** What a call names, and what nested commands do to the records of other models. */
interface Asked {
  readonly names: Set<string>;
  /** Models of which records join or leave a list. */
  readonly linked: Set<Model>;
  readonly nested: Map<Model, { readonly names: Set<string>; readonly operations: Set<Operation> }>;
}

/**
 * Checks in this order: each name is a field, the caller has the rights on the models of nested commands, each value is of the
 * type of its field. Rows that are the same object are cast once.
 */
export function checkAndCast(env: Env, model: Model, rows: readonly Values[], isNew: boolean): Given {
  const asked: Asked = { names: new Set(), linked: new Set(), nested: new Map() };
  const distinct = [...new Set(rows)];
  for (const values of distinct) {
    checkShape(model, values);
    collect(env.registry, model, values, asked.names, asked);
  }
  for (const [related, { operations }] of asked.nested) {
    for (const operation of operations) checkModelAccess(env, related, operation);
  }
  for (const related of asked.linked) checkCovered(env, related, 'read');
  const cast = castGiven(env.registry, model, distinct, isNew);
  if (distinct.length === rows.length) return { values: cast, asked };
  const castOf = new Map(distinct.map((values, index) => [values, cast[index] as Values]));
  return { values: rows.map((values) => castOf.get(values) as Values), asked };
}

/** Whether the caller may set all these fields, those of lines included. Fields that server code grants are not checked. */
export function checkAsked(env: Env, model: Model, { names, nested }: Asked, granted: ReadonlySet<string>): void {
  checkFieldAccess(env, model, names, granted);
  for (const [related, own] of nested) checkFieldAccess(env, related, own.names);
}

function collect(registry: Registry, model: Model, values: Values, names: Set<string>, asked: Asked): void {
  for (const name of Object.keys(values)) {
    const value = values[name];
    const field = knownField(model, name);
    names.add(name);
    if (isList(field) && Array.isArray(value)) collectLines(registry, field, value, asked);
  }
}

/** Commands of a wrong shape are passed over; they are refused when they are cast. */
function collectLines(registry: Registry, field: Field, commands: readonly unknown[], asked: Asked): void {
  const related = registry.model(field.spec.relation as string);
  for (const command of commands) {
    const [operation, values] = Array.isArray(command) ? whatItDoes(command) : [null, null];
    if (operation === null) {
      asked.linked.add(related);
      continue;
    }
    const own = asked.nested.get(related) ?? { names: new Set<string>(), operations: new Set<Operation>() };
    asked.nested.set(related, own);
    own.operations.add(operation);
    if (typeof values !== 'object' || values === null || Array.isArray(values)) continue;
    // The many2one back to the owner is set by the server.
    const { [field.spec.inverse ?? '']: _, ...others } = values as Values;
    collect(registry, related, field.through ? (values as Values) : others, own.names, asked);
  }
}

function whatItDoes(command: readonly unknown[]): readonly [Operation | null, unknown] {
  switch (command[0]) {
    case 'create':
      return ['create', command[1]];
    case 'update':
      return ['write', command[2]];
    case 'delete':
      return ['unlink', null];
    default:
      return [null, null];
  }
}
