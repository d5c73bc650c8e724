import { companyAfter, companyField, recordChange } from '../operation/record-change.ts';
import type { Concern } from '../plan/concern.ts';
import type { WriteRun } from '../plan/write-run.ts';

/** Changes are recorded with old and new values. Quiet models record none; secrets and files are recorded by code. */
export const history: Concern = {
  name: 'history',
  plan({ model, operation, fields }) {
    const isTold = [...fields].every(
      ({ kind, spec, column }) =>
        column !== null &&
        !kind.isFile &&
        spec.secret !== true &&
        (operation === 'create' || kind.jsonSql !== undefined),
    );
    const company = companyField(model);
    return {
      ...(isTold && !model.quiet && { statement: () => ({}) }),
      ...(operation === 'write' && { reads: company ? [company] : [], after: recordWrites }),
    };
  },
};

/** Tells the unit of work what became of each record. */
function recordWrites({ env, model, updated, linked }: WriteRun): void {
  for (const change of updated) {
    const fields = [...change.changed, ...(linked.get(change.id) ?? [])];
    if (fields.length === 0) continue;
    const companyId = companyAfter(model, change);
    recordChange(env, model, { id: change.id, operation: 'write', fields, companyId });
  }
}
