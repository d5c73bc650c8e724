import { didYouMean } from '@kontor/protocol';
import { ViewError } from '../view-error.ts';
import { isViewKind, viewKinds } from '../view-kind.ts';
import type { ViewNode } from '../view-node.ts';
import { checkShape } from './check-shape.ts';
import { withDocument } from './open-document.ts';
import { readElement } from './read-element.ts';

export interface ViewSource {
  readonly addon: string;
  readonly file: string;
  /** The line of the file on which the text begins; 1 when absent. */
  readonly line?: number;
}

/** The node tree of a stored view or inherit, its shape held against the grammar. Throws ViewError. */
export function parseView(xml: string, source: ViewSource): ViewNode {
  const place = { addon: source.addon, file: source.file, line: source.line ?? 1 };
  const node = withDocument(xml, place, (root) => readElement(root, place));
  if (!isViewKind(node.tag) && node.tag !== 'inherit') {
    throw new ViewError(node.place, `<${node.tag}> is not a view.`, didYouMean(node.tag, [...viewKinds, 'inherit']));
  }
  checkShape(node, node.tag);
  return node;
}
