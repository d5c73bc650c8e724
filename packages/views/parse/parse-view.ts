import type { ViewNode } from '../view-node.ts';

export interface ViewSource {
  readonly addon: string;
  readonly file: string;
  /** The line of the file on which the text begins; 1 when absent. */
  readonly line?: number;
}

/** The node tree of a stored view or inherit, its shape held against the grammar. Throws ViewError. */
export function parseView(_xml: string, _source: ViewSource): ViewNode {
  throw new Error('Under construction.');
}
