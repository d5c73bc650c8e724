import type { Env, Model } from '../model/model.ts';
import { companyField, recordCreation } from '../operation/record-change.ts';
import { maxRecordsPerCall } from '../reading/check-records.ts';
import { lockRows } from '../rows/lock-rows.ts';
import { inOperation } from '../settle/in-operation.ts';
import { markStale } from '../settle/mark-stale.ts';

/** Reports records whose rows were restored in the database: to the change log, and to computes over them. */
export async function restored(env: Env, model: Model, ids: readonly number[]): Promise<void> {
  const stored = [...model.fields.values()].filter((field) => field.column !== null && field.name !== 'id');
  const relations = [...model.fields.values()].filter(({ kind }) => kind.isRelation).map(({ name }) => name);
  const company = companyField(model);
  for (let start = 0; start < ids.length; start += maxRecordsPerCall) {
    const part = ids.slice(start, start + maxRecordsPerCall);
    await inOperation(env, async () => {
      for (const [id, { values }] of await lockRows(env, model, part, stored, 'write')) {
        recordCreation(env, model, { id, columns: values, lists: undefined, company });
      }
      await markStale(env, model, part, relations, { isMade: true, isNew: true });
    });
  }
}
