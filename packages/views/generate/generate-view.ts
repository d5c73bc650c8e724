import type { Model } from '@kontor/orm';
import type { ViewKind } from '../view-kind.ts';
import type { ViewNode } from '../view-node.ts';

/** A sensible view for a model that has none of the type; null where the model has no fields that fit it. */
export function generateView(_model: Model, _type: ViewKind): ViewNode | null {
  throw new Error('Under construction.');
}
