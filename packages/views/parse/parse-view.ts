import { didYouMean } from '@kontor/protocol';
import { ViewError } from '../view-error.ts';
import { isViewKind, viewKinds } from '../view-kind.ts';
import type { ViewNode } from '../view-node.ts';
import { checkShape } from './check-shape.ts';
import { parseNode, type ViewSource } from './parse-node.ts';

/** The node tree of a stored view or inherit, its shape held against the grammar. Throws ViewError. */
export function parseView(xml: string, source: ViewSource): ViewNode {
  const node = parseNode(xml, source);
  if (!isViewKind(node.tag) && node.tag !== 'inherit') {
    throw new ViewError(node.place, `<${node.tag}> is not a view.`, didYouMean(node.tag, [...viewKinds, 'inherit']));
  }
  checkShape(node, node.tag);
  return node;
}
