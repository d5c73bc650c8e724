import { ident, join, type Sql, sql } from '@kontor/database';
import { text } from '@kontor/protocol';
import type { Env, Field, Model } from '../model/model.ts';
import { companyField } from '../operation/record-change.ts';
import { settleState } from '../operation/settle-state.ts';
import type { Concern } from '../plan/concern.ts';
import { ConstraintError } from './check-constraints.ts';

/** Notes records whose relations must agree with their company when the operation ends: the company is computed, or a list changed. */
export function markForCompany(env: Env, model: Model, ids: Iterable<number>): void {
  if (companyField(model) === null || boundFields(env, model).length === 0) return;
  const { companies, isSilent } = settleState(env);
  if (isSilent) return;
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
export function markListsForCompany(env: Env, model: Model, plans: readonly Grown[]): void {
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

/** Refuses records that point at something of another company: one statement a model. */
export async function checkCompanies(env: Env): Promise<void> {
  const { companies } = settleState(env);
  const due = [...companies];
  companies.clear();
  const violations = [];
  for (const [name, ids] of due) {
    const model = env.registry.model(name);
    const fields = boundFields(env, model);
    const rows = await env.db.arrays(
      join(
        fields.map((field, at) => strangersQuery(env, model, field, at, [...ids])),
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

/** Relations that must agree with the company of their record, and whose records have one. */
function boundFields({ registry }: Env, { fields }: Model): readonly Field[] {
  return [...fields.values()].filter(
    ({ spec, column, through }) =>
      spec.checkCompany === true &&
      (column !== null || through !== null) &&
      registry.model(spec.relation as string).hasCompany,
  );
}

function strangersQuery(env: Env, model: Model, field: Field, at: number, ids: readonly number[]): Sql {
  const { column, through } = field;
  const related = ident(env.registry.model(field.spec.relation as string).table);
  const links = through
    ? sql`join ${ident(through.table)} l on l.${ident(through.own)} = t.id join ${related} r on r.id = l.${ident(through.other)}`
    : sql`join ${related} r on r.id = ${ident('t', column as string)}`;
  return sql`
    select ${at}::int4, t.id, r.id from ${ident(model.table)} t ${links}
    where t.id = any(${ids}::int4[]) and r.company_id is not null and r.company_id is distinct from t.company_id`;
}

/** When a record moves to another company, all its relations must agree with it. */
export const company: Concern = {
  name: 'company',
  plan({ model, operation, fields }) {
    const field = companyField(model);
    return operation === 'write' && field && fields.has(field) ? { runs: ['row', 'settle'] } : null;
  },
};
