import { invalidArgs, type Operation } from '@kontor/protocol';
import { checkModelAccess, mayAccessModel } from '../access/model-access.ts';
import { checkCovered } from '../access/scope.ts';
import { knownField } from '../domain/known-field.ts';
import type { Env, Field, Model, Registry } from '../model/model.ts';
import type { Values } from '../model/records.ts';
import { type Concern, namesOf } from '../plan/concern.ts';
import type { Named } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { checkIds, checkRecords, maxRecordsPerCall } from '../reading/check-records.ts';
import { checkFieldAccess, checkShape, isList } from './check-names.ts';

/**
 * The caller must have the right to the operation on the model, and to what nested commands do on theirs; each name
 * must be a field. Virtual models have no rows.
 */
export const access: Concern = {
  name: 'access',
  plan({ env, model, operation, isCascade }) {
    if (isCascade) return null;
    const isAllowed = !model.served && mayAccessModel(env, model, operation);
    return { given: checkAccess, ...(isAllowed && { statement: () => ({}) }) };
  },
};

function checkAccess(run: WriteRun): void {
  const { env, model, operation, given, named } = run;
  checkModelAccess(env, model, operation);
  if (operation === 'create') checkRows(model, given);
  else run.ids = checkIds(model, run.ids);
  for (const values of new Set(given)) {
    checkShape(model, values);
    collect(env.registry, model, values, named.names, named);
  }
  for (const [related, { operations }] of named.nested) {
    for (const each of operations) checkModelAccess(env, related, each);
  }
  for (const related of named.linked) checkCovered(env, related, 'read');
}

function checkRows(model: Model, rows: readonly Values[]): void {
  if (!Array.isArray(rows)) throw invalidArgs('The values must be an array of objects.', { model: model.name });
  if (rows.length > maxRecordsPerCall) {
    throw invalidArgs(`At most ${maxRecordsPerCall} records a call.`, { model: model.name, max: maxRecordsPerCall });
  }
}

/**
 * The caller must be allowed to set all given fields, including those of lines. Fields that server code grants are not
 * checked.
 */
export const fieldAccess: Concern = {
  name: 'field access',
  plan({ env, model, given }) {
    const isAllowed = maySet(env, model, namesOf(given));
    // Fields of lines are named by values alone.
    return isAllowed && ![...given].some(isList) ? null : { given: checkFields };
  },
};

async function checkFields({ env, model, operation, ids, named, granted }: WriteRun): Promise<void> {
  try {
    checkFieldAccess(env, model, named.names, granted);
    for (const [related, own] of named.nested) checkFieldAccess(env, related, own.names);
  } catch (error) {
    // A field that the caller may not set is named only for records that they may change: the rules are checked first.
    if (operation === 'write') await checkRecords(env, model, ids, 'write');
    throw error;
  }
}

function maySet(env: Env, model: Model, names: readonly string[]): boolean {
  try {
    checkFieldAccess(env, model, names);
    return true;
  } catch {
    return false;
  }
}

function collect(registry: Registry, model: Model, values: Values, names: Set<string>, named: Named): void {
  for (const name of Object.keys(values)) {
    const value = values[name];
    const field = knownField(model, name);
    names.add(name);
    if (isList(field) && Array.isArray(value)) collectLines(registry, field, value, named);
  }
}

/** Malformed commands are ignored here; they are rejected when they are cast. */
function collectLines(registry: Registry, field: Field, commands: readonly unknown[], named: Named): void {
  const related = registry.model(field.spec.relation as string);
  for (const command of commands) {
    const [operation, values] = Array.isArray(command) ? parseCommand(command) : [null, null];
    if (operation === null) {
      named.linked.add(related);
      continue;
    }
    const own = named.nested.get(related) ?? { names: new Set<string>(), operations: new Set<Operation>() };
    named.nested.set(related, own);
    own.operations.add(operation);
    if (typeof values !== 'object' || values === null || Array.isArray(values)) continue;
    // The many2one back to the owner is set by the server.
    const { [field.spec.inverse ?? '']: _, ...others } = values as Values;
    collect(registry, related, field.through ? (values as Values) : others, own.names, named);
  }
}

function parseCommand(command: readonly unknown[]): readonly [Operation | null, unknown] {
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
