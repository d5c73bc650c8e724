import type { Translate } from '@kontor/protocol';
import { placeOf, type ViewNode } from '@kontor/views';

/** Attributes that hold words for people. */
export const wordAttributes = ['label', 'placeholder', 'confirm', 'help', 'sum', 'avg'] as const;

/** A view in another language; each word in that of the addon that wrote it. */
export function translateView(node: ViewNode, translate: Translate): ViewNode {
  const said = wordAttributes.flatMap((name) => {
    const text = node.attributes[name];
    return text === undefined ? [] : [[name, translate(text, placeOf(node, name).addon)] as const];
  });
  return {
    ...node,
    attributes: said.length === 0 ? node.attributes : { ...node.attributes, ...Object.fromEntries(said) },
    text: node.text === '' ? '' : translate(node.text, node.place.addon),
    children: node.children.map((child) => translateView(child, translate)),
  };
}
