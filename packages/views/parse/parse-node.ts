import type { ViewNode } from '../view-node.ts';
import { withDocument } from './open-document.ts';
import { readElement } from './read-element.ts';

export interface ViewSource {
  readonly addon: string;
  readonly file: string;
  /** The line of the file on which the text begins; 1 when absent. */
  readonly line?: number;
}

/** The nodes of any XML text, whatever their tags. Throws ViewError. */
export function parseNode(xml: string, source: ViewSource): ViewNode {
  const place = { addon: source.addon, file: source.file, line: source.line ?? 1 };
  return withDocument(xml, place, (root) => readElement(root, place));
}
