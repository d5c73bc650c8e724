import type { Model } from '@kontor/orm';
import type { ViewNode } from '../view-node.ts';

type Attributes = Readonly<Record<string, string | undefined>>;
export type MakeNode = (
  tag: string,
  attributes?: Attributes,
  children?: readonly ViewNode[],
  text?: string,
) => ViewNode;

/** Creates nodes of a view that is in no file; undefined attributes are left out. */
export function nodeMaker(model: Model): MakeNode {
  const place = { addon: model.module, file: `generated for ${model.name}`, line: 1 };
  return (tag, attributes = {}, children = [], text = '') => {
    const given = Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return { tag, attributes: Object.fromEntries(given), children, text, place };
  };
}

/** The root of a generated view. */
export function rootOf(
  make: MakeNode,
  model: Model,
  tag: string,
  children: readonly ViewNode[],
  attributes: Attributes = {},
) {
  return make(tag, { id: `generated_${tag}`, model: model.name, ...attributes }, children);
}
