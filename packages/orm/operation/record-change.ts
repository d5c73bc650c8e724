import type { Env, Field, Model } from '../model/model.ts';
import type { Change, FieldChange } from '../model/unit-of-work.ts';

/** Records the change of one record in the unit of work. Secrets are recorded as changed, without their values. */
export function recordChange(
  env: Env,
  model: Model,
  change: {
    id: number;
    operation: Change['operation'];
    fields: Iterable<readonly [Field, FieldChange]>;
    companyId: unknown;
    /** It belongs to the creation of the record, if that is among the changes from here on. */
    since?: number;
  },
): void {
  const values: Record<string, FieldChange> = {};
  for (const [field, value] of change.fields) {
    values[field.name] = field.spec.secret ? { old: null, new: null } : value;
  }
  const companyId = typeof change.companyId === 'number' ? change.companyId : null;
  const recorded = { model: model.name, id: change.id, operation: change.operation, values, companyId };
  if (change.since === undefined) env.work.record(recorded);
  else env.work.amend(recorded, change.since);
}

/** Records a new record with its non-empty columns and lists. */
export function recordCreation(
  env: Env,
  model: Model,
  {
    id,
    columns,
    lists,
    company,
  }: {
    readonly id: number;
    readonly columns: ReadonlyMap<Field, unknown>;
    readonly lists: Iterable<readonly [Field, FieldChange]> | undefined;
    readonly company: Field | null;
  },
): void {
  const values: Record<string, FieldChange> = {};
  columns.forEach((value, field) => {
    if (value !== null) values[field.name] = { old: null, new: field.spec.secret ? null : value };
  });
  for (const [field, value] of lists ?? []) values[field.name] = field.spec.secret ? { old: null, new: null } : value;
  const companyId = company && columns.get(company);
  const recorded = typeof companyId === 'number' ? companyId : null;
  env.work.record({ model: model.name, id, operation: 'create', values, companyId: recorded });
}

export function companyField(model: Model): Field | null {
  const field = model.fields.get('company_id');
  return field?.kind.isToOne && field.column !== null ? field : null;
}

/** Relations that must agree with the company of their record. */
export function companyBound(model: Model): Field[] {
  return [...model.fields.values()].filter((field) => field.spec.checkCompany === true && field.column !== null);
}

/** The company of a record after a change; undefined if records have none. */
export function companyAfter(
  model: Model,
  { now, changed }: { readonly now: Row; readonly changed: ReadonlyMap<Field, FieldChange> },
): number | null | undefined {
  const company = companyField(model);
  if (company === null) return undefined;
  const change = changed.get(company);
  return (change ? change.new : (now.values.get(company) ?? null)) as number | null;
}

interface Row {
  readonly values: ReadonlyMap<Field, unknown>;
}
