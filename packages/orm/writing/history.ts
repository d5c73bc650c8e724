import type { Concern } from '../plan/concern.ts';

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
    return model.quiet || !isTold ? { runs: ['after'] } : null;
  },
};
