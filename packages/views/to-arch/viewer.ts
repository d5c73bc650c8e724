import { type Env, type Field, type Model, mayAccessModel, mayReadField } from '@kontor/orm';
import type { Operation } from '@kontor/protocol';

/** The viewer of a view. */
export interface Viewer {
  /** Keys of every group they are in. */
  readonly groups: ReadonlySet<string>;
  /** Nothing is hidden for the sake of groups. */
  readonly seesAll: boolean;
  mayReadField(field: Field): boolean;
  mayAccess(model: Model, operation: Operation): boolean;
}

export function viewerOf(env: Env): Viewer {
  return {
    groups: env.actor.groups,
    seesAll: env.isSudo,
    mayReadField: (field) => mayReadField(env, field),
    mayAccess: (model, operation) => mayAccessModel(env, model, operation),
  };
}
