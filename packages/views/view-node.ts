import { type ViewType, viewTypes } from '@kontor/protocol';

/** Where in an addon something is written. */
export interface Place {
  readonly addon: string;
  readonly file: string;
  readonly line: number;
}

/** One element of a view. Immutable; every node knows its source, also in a view composed of several files. */
export interface ViewNode {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Text directly inside, without white space around it. */
  readonly text: string;
  readonly children: readonly ViewNode[];
  readonly place: Place;
  /** Where attributes were written that an inherit set. */
  readonly attributePlaces?: Readonly<Record<string, Place>>;
}

export function placeOf(node: ViewNode, attribute?: string): Place {
  return (attribute !== undefined && node.attributePlaces?.[attribute]) || node.place;
}

/** Attributes with translated texts. */
export const wordAttributes = ['label', 'placeholder', 'confirm', 'help', 'sum', 'avg'] as const;

/** The node and all below it, in the order of the document. */
export function* walkNodes(node: ViewNode): Generator<ViewNode> {
  yield node;
  for (const child of node.children) yield* walkNodes(child);
}

/** The types of stored views: those of the client, and the search that all of them share. */
export type ViewKind = ViewType | 'search';
export const viewKinds: readonly ViewKind[] = [...viewTypes, 'search'];

export function isViewKind(name: string): name is ViewKind {
  return (viewKinds as readonly string[]).includes(name);
}
