import { checkShape } from '../parse/check-shape.ts';
import { ViewError } from '../view-error.ts';
import type { ViewNode } from '../view-node.ts';
import { applyChange } from './apply-change.ts';

/** The view with the given inherits applied in the given order; none of them is changed. Throws ViewError. */
export function composeView(base: ViewNode, inherits: readonly ViewNode[]): ViewNode {
  if (base.tag === 'inherit') throw new ViewError(base.place, 'An <inherit> is not a view by itself.');
  return inherits.reduce(applyInherit, base);
}

function applyInherit(view: ViewNode, inherit: ViewNode): ViewNode {
  if (inherit.tag !== 'inherit') throw new ViewError(inherit.place, `<${inherit.tag}> does not inherit a view.`);
  const composed = inherit.children.reduce(applyChange, view);
  try {
    checkShape(composed, composed.tag);
  } catch (error) {
    throw blame(error, inherit);
  }
  return composed;
}

/** The mistake may show at a node of another file; whoever made it is the one to be named. */
function blame(error: unknown, inherit: ViewNode): unknown {
  if (!(error instanceof ViewError)) return error;
  const { addon, file } = error.place;
  if (addon === inherit.place.addon && file === inherit.place.file) return error;
  return new ViewError(
    inherit.place,
    `The inherit breaks ${addon}: ${file}:${error.place.line}: ${error.problem}`,
    error.hint,
  );
}
