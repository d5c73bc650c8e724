import { ident, join, type Sql, sql } from '@kontor/database';
import { text } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import { companyBound, companyField } from '../operation/record-change.ts';
import { debtsOf, settleState } from '../operation/settle-state.ts';
import type { Concern } from '../plan/concern.ts';
import type { RowChange } from '../plan/row-change.ts';
import type { WriteRun } from '../plan/write-run.ts';
import { ConstraintError } from './check-constraints.ts';

/** Ids by model of records whose relations must agree with their company. */
const dueCompanies = (env: Env): Map<string, Set<number>> => debtsOf(env, 'company');

/**
 * Records to check when the operation ends that their relations match their company: the company is computed, or a list
 * changed.
 */
export function markForCompany(env: Env, model: Model, ids: Iterable<number>): void {
  if (companyField(model) === null || boundFields(env, model).length === 0) return;
  if (settleState(env).isSilent) return;
  const companies = dueCompanies(env);
  const known = companies.get(model.name) ?? new Set();
  for (const id of ids) known.add(id);
  if (known.size > 0) companies.set(model.name, known);
}

interface Grown {
  readonly field: Field;
  readonly changes: readonly {
    readonly owner: number;
    readonly added: readonly unknown[];
    readonly created: readonly unknown[];
  }[];
}

/** The same for the records whose lists grow. */
function markListsForCompany(env: Env, model: Model, plans: readonly Grown[]): void {
  for (const { field, changes } of plans) {
    if (field.spec.checkCompany !== true) continue;
    const grown = changes.filter(({ added, created }) => added.length + created.length > 0);
    markForCompany(
      env,
      model,
      grown.map(({ owner }) => owner),
    );
  }
}

/** Rejects records that refer to records of another company: one statement per model. */
export async function checkCompanies(env: Env): Promise<void> {
  const companies = dueCompanies(env);
  const due = [...companies];
  companies.clear();
  const violations = [];
  for (const [name, ids] of due) {
    const model = env.registry.model(name);
    const fields = boundFields(env, model);
    const rows = await env.db.arrays(
      join(
        fields.map((field, at) => otherCompanyQuery(env, model, field, at, [...ids])),
        sql` union all `,
      ),
    );
    for (const [at, id, other] of rows) {
      const field = fields[at as number] as Field;
      const { label } = env.registry.model(field.spec.relation as string);
      const message = text('{model} {id} belongs to another company.', { model: label, id: other as number });
      violations.push({ model: name, id: id as number, field: field.name, message });
    }
  }
  if (violations.length > 0) throw new ConstraintError(env.registry, violations);
}

/** Relations that must match the company of their record, and whose records have one. */
function boundFields({ registry }: Env, { fields }: Model): readonly Field[] {
  return [...fields.values()].filter(
    ({ spec, column, through }) =>
      spec.checkCompany === true &&
      (column !== null || through !== null) &&
      registry.model(spec.relation as string).hasCompany,
  );
}

function otherCompanyQuery(env: Env, model: Model, field: Field, at: number, ids: readonly number[]): Sql {
  const { column, through } = field;
  const related = ident(env.registry.model(field.spec.relation as string).table);
  const links = through
    ? sql`join ${ident(through.table)} l on l.${ident(through.own)} = t.id join ${related} r on r.id = l.${ident(through.other)}`
    : sql`join ${related} r on r.id = ${ident('t', column as string)}`;
  return sql`
    select ${at}::int4, t.id, r.id from ${ident(model.table)} t ${links}
    where t.id = any(${ids}::int4[]) and r.company_id is not null and r.company_id is distinct from t.company_id`;
}

/** A record and its related records belong to one company, also if the company is computed or a list grows. */
export const company: Concern = {
  name: 'company',
  plan({ model, operation, purpose, fields }) {
    const own = companyField(model);
    if (own === null || operation === 'unlink' || purpose === 'restore') return null;
    const bound = [...fields].filter(({ spec }) => spec.checkCompany === true);
    const isList = bound.some((field) => field.column === null);
    const isMoved = operation === 'write' && fields.has(own);
    if (!isMoved && !isList && (bound.length === 0 || !own.compute)) return null;
    return {
      reads: isMoved ? companyBound(model) : [],
      after: (run) => markChanged(run, own),
      // If neither the company nor a list changes, the conditions on the links compare with the stored company.
      ...(operation === 'write' && !isMoved && !isList && { statement: () => ({}) }),
    };
  },
};

function markChanged({ env, model, operation, changes, lists }: WriteRun, own: Field): void {
  const bound = own.compute ? companyBound(model) : [];
  const newValue = ({ cast, changed }: RowChange, field: Field) =>
    operation === 'create' ? cast.columns.get(field) : changed.get(field)?.new;
  const asked = changes.filter((change) => bound.some((field) => typeof newValue(change, field) === 'number'));
  const moved = changes.filter(({ changed }) => changed.has(own) && hasBoundList(model));
  markForCompany(
    env,
    model,
    [...asked, ...moved].map(({ id }) => id),
  );
  markListsForCompany(env, model, lists);
}

function hasBoundList({ fields }: Model): boolean {
  return [...fields.values()].some(({ spec, through }) => spec.checkCompany === true && through !== null);
}
