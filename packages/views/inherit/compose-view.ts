import { didYouMean } from '@kontor/protocol';
import { fullIds } from '../external-id.ts';
import { checkShape } from '../parse/check-shape.ts';
import { ViewError } from '../view-error.ts';
import { type Place, placeOf, type ViewNode } from '../view-node.ts';
import { findElement, type NodePath } from './find-element.ts';

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

/** The tree with one `<xpath>` applied. */
function applyChange(root: ViewNode, xpath: ViewNode): ViewNode {
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

/** The node with what the `<attribute>`s of an xpath say. */
function changeAttributes(node: ViewNode, xpath: ViewNode): ViewNode {
  const attributes = { ...node.attributes };
  const places: Record<string, Place> = { ...node.attributePlaces };
  for (const change of xpath.children) {
    const name = change.attributes.name as string;
    if ((name === 'id' || name === 'model') && node.attributes[name] !== undefined) {
      throw new ViewError(change.place, `The ${name} of a view cannot be changed.`);
    }
    const value = newValue(node, name, attributes[name], change);
    if (value === '') delete attributes[name];
    else attributes[name] = value;
    places[name] = change.place;
  }
  return { ...node, attributes, attributePlaces: places };
}

function newValue(node: ViewNode, name: string, before: string | undefined, change: ViewNode): string {
  const { add, remove } = change.attributes;
  const isList = add !== undefined || remove !== undefined;
  if (isList && change.text !== '') {
    throw new ViewError(change.place, `"${name}" takes a new value, or "add" and "remove", not both.`);
  }
  // Bare names of groups are those of the addon that wrote them, and a list may have been written by several.
  const split = (text: string, addon: string) => (name === 'groups' ? fullIds(text, addon) : listOf(text));
  const own = change.place.addon;
  if (!isList) return name === 'groups' ? split(change.text, own).join(',') : change.text;
  const values = split(before ?? '', placeOf(node, name).addon);
  const removed = split(remove ?? '', own);
  const missing = removed.find((value) => !values.includes(value));
  if (missing !== undefined) {
    throw new ViewError(change.place, `"${name}" does not have "${missing}".`, didYouMean(missing, values));
  }
  const kept = values.filter((value) => !removed.includes(value));
  return [...new Set([...kept, ...split(add ?? '', own)])].join(',');
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}
