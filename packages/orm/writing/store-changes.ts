import { rulePredicate } from '../domain/rule-predicate.ts';
import { mayBreakRules, ruleReads } from '../domain/rule-reads.ts';
import { applyMany2manys, applyOne2manys, type ListPlan } from '../lists/lists.ts';
import type { Env, Field, Model } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { markForChecks } from '../operation/mark-for-checks.ts';
import { recordChange } from '../operation/record-change.ts';
import type { RowChange } from '../plan/row-change.ts';
import { stamp, updateRows } from '../rows/rows.ts';
import { markStale } from '../settle/mark-stale.ts';
import { companyAfter } from './check-row-changes.ts';

/** Writes what differs, rows first and lines after them. Answers the ids of the records that changed, lists included. */
export async function storeChanges(
  env: Env,
  model: Model,
  changes: readonly RowChange[],
  plans: readonly ListPlan[],
): Promise<Set<number>> {
  const relinked = ownersOf(plans, 'many2many');
  const updated = changes.filter((change) => change.changed.size > 0 || relinked.has(change.id));
  const ids = updated.map((change) => change.id);
  const fields = new Set(updated.flatMap((change) => [...change.changed.keys()]));
  const names = new Set(namesOf([...fields, ...plans.map((plan) => plan.field)]));
  const reads = ruleReads(env, model, 'write');
  const isAsked = reads?.isFinal === true && mayBreakRules(reads, names);
  await markStale(env, model, ids, namesOf([...fields].filter((field) => field.kind.isToOne)));
  const refused = await updateColumns(env, model, updated, fields, isAsked);
  recordWrites(env, model, updated, await applyMany2manys(plans));
  await applyOne2manys(plans);
  const touched = new Set([...ids, ...ownersOf(plans, 'one2many')]);
  await markWritten(env, model, {
    ids,
    names,
    owners: [...touched],
    // The UPDATE returned the rows that break the rules. Where it could not know, all rows are checked at the end.
    doubtful: reads?.isFinal === false ? [...touched] : refused,
  });
  return touched;
}

async function updateColumns(
  env: Env,
  model: Model,
  updated: readonly RowChange[],
  fields: ReadonlySet<Field>,
  asksRules: boolean,
): Promise<number[]> {
  const stamps = stamp(env, model, ['write_date', 'write_uid']);
  const columns = new Set([...fields, ...stamps.keys()]);
  const rows = updated.map(({ id, changed, now }) => {
    const values = new Map<Field, unknown>(stamps);
    for (const field of fields) {
      const change = changed.get(field);
      values.set(field, change ? change.new : now.values.get(field));
    }
    return { id, values };
  });
  const rules = asksRules ? rulePredicate(env, model, 'write', 'r') : null;
  return updateRows(env, model, [...columns], rows, rules ?? undefined);
}

function ownersOf(plans: readonly ListPlan[], type: 'one2many' | 'many2many'): Set<number> {
  const own = plans.filter((plan) => plan.field.spec.type === type);
  return new Set(own.flatMap((plan) => plan.changes.map((change) => change.owner)));
}

function namesOf(fields: readonly Field[]): string[] {
  return fields.map((field) => field.name);
}

type ListChanges = ReadonlyMap<number, ReadonlyMap<Field, FieldChange>>;

/** Tells the unit of work what became of each record. */
export function recordWrites(env: Env, model: Model, changes: readonly RowChange[], lists: ListChanges): void {
  for (const change of changes) {
    const fields = [...change.changed, ...(lists.get(change.id) ?? [])];
    if (fields.length === 0) continue;
    recordChange(env, model, {
      id: change.id,
      operation: 'write',
      fields,
      companyId: companyAfter(model, change),
    });
  }
}

interface Written {
  readonly ids: readonly number[];
  /** Fields of these records that changed, lists among them. */
  readonly names: ReadonlySet<string>;
  /** Records whose own rows did not change, only their lines. */
  readonly owners: readonly number[];
  /** Records that the caller's rules may no longer allow. */
  readonly doubtful: readonly number[];
}

/** What follows from a write: computes, constraints, and rules where they are not known to hold. */
export async function markWritten(env: Env, model: Model, { ids, names, owners, doubtful }: Written): Promise<void> {
  await markStale(env, model, ids, names, { isMade: true });
  markForChecks(env.sudo(), model, [...ids, ...owners], names, 'write');
  markForChecks(env, model, doubtful, [], 'write');
}
