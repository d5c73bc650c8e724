import { ident, sql } from '@kontor/database';
import type { Env, Field, Model } from '../model/model.ts';
import type { FieldChange } from '../model/unit-of-work.ts';
import { companyAfter, companyField, recordChange, recordCreation } from '../operation/record-change.ts';
import type { Concern } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';

/** Changes are recorded with old and new values. Quiet models record none; secrets and files are recorded by code. */
export const history: Concern = {
  name: 'history',
  plan({ model, operation, fields }) {
    if (operation === 'unlink') return { detach: readLinks, after: recordRemovals };
    const isTold = [...fields].every(
      ({ kind, spec, column }) =>
        column !== null &&
        !kind.isFile &&
        spec.secret !== true &&
        (operation === 'create' || kind.jsonSql !== undefined),
    );
    const statement = isTold && !model.quiet && { statement: () => ({}) };
    if (operation === 'create') return { ...statement, after: recordCreations };
    const company = companyField(model);
    return { ...statement, reads: company ? [company] : [], after: recordWrites };
  },
};

/** Reports the change of each record to the unit of work. */
function recordWrites({ env, model, updated, linked }: WriteRun): void {
  for (const change of updated) {
    const fields = [...change.changed, ...(linked.get(change.id) ?? [])];
    if (fields.length === 0) continue;
    const companyId = companyAfter(model, change);
    recordChange(env, model, { id: change.id, operation: 'write', fields, companyId });
  }
}

function recordCreations({ env, model, changes, linked }: WriteRun): void {
  const company = companyField(model);
  for (const { id, cast } of changes) {
    recordCreation(env, model, { id, columns: cast.columns, lists: linked.get(id), company });
  }
}

function recordRemovals({ env, model, changes, linked }: WriteRun): void {
  const company = companyField(model);
  for (const { id, now } of changes) {
    const values = [...now.values].filter(([, value]) => value !== null);
    const fields = [...values.map(([field, old]) => [field, { old, new: null }] as const), ...(linked.get(id) ?? [])];
    recordChange(env, model, { id, operation: 'unlink', fields, companyId: company && now.values.get(company) });
  }
}

/** The links of records that are about to be deleted. */
async function readLinks(run: WriteRun): Promise<void> {
  if (!run.model.quiet) run.linked = await linksBefore(run.env, run.model, run.ids);
}

async function linksBefore(
  env: Env,
  model: Model,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ReadonlyMap<Field, FieldChange>>> {
  const lists = new Map<number, Map<Field, FieldChange>>();
  for (const field of model.fields.values()) {
    if (!field.through) continue;
    const { table, own, other } = field.through;
    const rows = await env.db.arrays(sql`
      select ${ident(own)}, array_agg(${ident(other)} order by ${ident(other)}) from ${ident(table)}
      where ${ident(own)} = any(${ids}::int4[]) group by 1`);
    for (const [id, others] of rows as [number, number[]][]) {
      const known = lists.get(id) ?? new Map<Field, FieldChange>();
      lists.set(id, known.set(field, { old: others, new: [] }));
    }
  }
  return lists;
}
