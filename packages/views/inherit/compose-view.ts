import type { ViewNode } from '../view-node.ts';

/** The view with the given inherits applied in the given order; none of them is changed. Throws ViewError. */
export function composeView(_base: ViewNode, _inherits: readonly ViewNode[]): ViewNode {
  throw new Error('Under construction.');
}
