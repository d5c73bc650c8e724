import { ViewError } from '../view-error.ts';
import type { ViewNode } from '../view-node.ts';
import { changeAttributes } from './change-attributes.ts';
import { findElement, type NodePath } from './find-element.ts';

/** The tree with one `<xpath>` applied. */
export function applyChange(root: ViewNode, xpath: ViewNode): ViewNode {
  const target = findElement(root, xpath);
  const { position } = xpath.attributes;
  const moved = new Set<string>();
  const content = xpath.children.map((child) => withMoves(root, child, target, moved));
  if (target.length === 0 && position !== 'inside' && position !== 'attributes') {
    return replaceRoot(root, xpath, content);
  }
  const [whole] = rewrite(root, [], (node, path) => {
    if (String(path) === String(target)) return around(node, xpath, content, moved.has(String(path)));
    return moved.has(String(path)) ? [] : [node];
  });
  return whole as ViewNode;
}

/** Rebuilds the tree from the leaves up; a node may become several or none. */
function rewrite(
  node: ViewNode,
  path: NodePath,
  change: (node: ViewNode, path: NodePath) => readonly ViewNode[],
): readonly ViewNode[] {
  const children = node.children.flatMap((child, index) => rewrite(child, [...path, index], change));
  const isSame = children.length === node.children.length && children.every((child, i) => child === node.children[i]);
  return change(isSame ? node : { ...node, children }, path);
}

function around(node: ViewNode, xpath: ViewNode, content: readonly ViewNode[], isMoved: boolean): readonly ViewNode[] {
  const kept = isMoved ? [] : [node];
  switch (xpath.attributes.position) {
    case 'before':
      return [...content, ...kept];
    case 'after':
      return [...kept, ...content];
    case 'inside':
      return [{ ...node, children: [...node.children, ...content] }];
    case 'attributes':
      return [changeAttributes(node, xpath)];
    default:
      return content;
  }
}

/** The content with every `<xpath position="move"/>` in it replaced by the element it takes along. */
function withMoves(root: ViewNode, node: ViewNode, target: NodePath, moved: Set<string>): ViewNode {
  if (node.tag !== 'xpath') {
    if (node.children.length === 0) return node;
    return { ...node, children: node.children.map((child) => withMoves(root, child, target, moved)) };
  }
  const path = findElement(root, node);
  const isAbove = path.length < target.length && path.every((index, depth) => index === target[depth]);
  if (path.length === 0 || isAbove) throw new ViewError(node.place, 'An element cannot be moved into itself.');
  if (moved.has(String(path))) throw new ViewError(node.place, 'The same element is moved twice.');
  moved.add(String(path));
  return path.reduce((each, index) => each.children[index] as ViewNode, root);
}

function replaceRoot(root: ViewNode, xpath: ViewNode, content: readonly ViewNode[]): ViewNode {
  const { position } = xpath.attributes;
  if (position !== 'replace') throw new ViewError(xpath.place, `Nothing can come ${position} the root of a view.`);
  const [only, ...others] = content;
  if (only?.tag !== root.tag || others.length > 0) {
    throw new ViewError(xpath.place, `The root of a <${root.tag}> is replaced by one <${root.tag}>.`);
  }
  const { id, model } = root.attributes;
  return { ...only, attributes: { ...only.attributes, ...(id && { id }), ...(model && { model }) } };
}
