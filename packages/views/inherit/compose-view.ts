import { didYouMean, nearest } from '@kontor/protocol';
import type { XmlElement, XmlNode, XmlXPath } from 'libxml2-wasm';
import { fullIds } from '../external-id.ts';
import { checkShape } from '../parse/check-shape.ts';
import { withDocument } from '../parse/parse-view.ts';
import { writeXml } from '../parse/write-xml.ts';
import { xmlLibrary } from '../parse/xml-library.ts';
import { attempt, type ReportProblem, ViewError } from '../view-error.ts';
import { type Place, placeOf, type ViewNode, walkNodes } from '../view-node.ts';

/**
 * The view with the given inherits applied in the given order; none of them is changed. Throws ViewError, unless mistakes are
 * collected: then inherits that cannot be applied are left out.
 */
export function composeView(base: ViewNode, inherits: readonly ViewNode[], report?: ReportProblem): ViewNode {
  if (base.tag === 'inherit') throw new ViewError(base.place, 'An <inherit> is not a view by itself.');
  const stages: Stage[] = [{ view: base, by: null }];
  return inherits.reduce((view, inherit) => {
    const composed = applyInherit(view, inherit, stages, report);
    stages.push({ view: composed, by: inherit });
    return composed;
  }, base);
}

/** A view as it was after an inherit. */
interface Stage {
  readonly view: ViewNode;
  readonly by: ViewNode | null;
}

function applyInherit(
  view: ViewNode,
  inherit: ViewNode,
  stages: readonly Stage[],
  report: ReportProblem | undefined,
): ViewNode {
  if (inherit.tag !== 'inherit') throw new ViewError(inherit.place, `<${inherit.tag}> does not inherit a view.`);
  let composed = view;
  for (const xpath of inherit.children) {
    attempt(report, () => {
      try {
        composed = applyChange(composed, xpath);
      } catch (error) {
        throw blameRemoval(error, xpath, stages);
      }
    });
  }
  attempt(report, () => {
    try {
      checkShape(composed, composed.tag);
    } catch (error) {
      throw blame(error, inherit);
    }
  });
  return composed;
}

/** Another addon may have removed the target of an expression: that addon is named. */
function blameRemoval(error: unknown, xpath: ViewNode, stages: readonly Stage[]): unknown {
  if (!(error instanceof ViewError)) return error;
  const at = stages.findLastIndex(({ view }) => finds(view, xpath));
  const breaker = at < 0 ? null : stages[at + 1]?.by;
  if (!breaker) return error;
  const { addon, file, line } = breaker.place;
  return new ViewError(error.place, `${error.problem} It was there until ${addon} changed the view (${file}:${line}).`);
}

function finds(view: ViewNode, xpath: ViewNode): boolean {
  try {
    findElement(view, xpath);
    return true;
  } catch {
    return false;
  }
}

/** The mistake may appear at a node of another file; the addon that caused it is named. */
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

/** The content with every `<xpath position="move"/>` replaced by the element that it moves. */
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

/** The node with the `<attribute>`s of an xpath applied. */
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
  // Bare group names belong to the addon that wrote them, and several addons may have written one list.
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

/** Positions among the children, from the root down to a node; empty for the root. */
type NodePath = readonly number[];

/** The first element of the tree that the `expr` of an `<xpath>` finds. Throws ViewError at the xpath when there is none. */
function findElement(root: ViewNode, xpath: ViewNode): NodePath {
  const expr = xpath.attributes.expr ?? '';
  const place = placeOf(xpath, 'expr');
  return withDocument(writeXml(root), place, (element) => {
    const found = evaluate(element, expr, xpath);
    if (!Array.isArray(found)) throw new ViewError(place, `${expr} gives a ${typeof found}, not an element.`);
    const [first] = found;
    if (!first) throw new ViewError(place, `${expr} finds nothing in ${nameOf(root)}.`, closestNode(root, expr));
    if (!isElement(first)) throw new ViewError(place, `${expr} finds something that is not an element.`);
    return pathOf(first);
  });
}

function evaluate(element: XmlElement, expr: string, xpath: ViewNode): XmlNode[] | string | boolean | number {
  let compiled: XmlXPath | undefined;
  try {
    compiled = xmlLibrary().XmlXPath.compile(expr);
    return element.eval(compiled);
  } catch (error) {
    if (!(error instanceof xmlLibrary().XmlXPathError)) throw error;
    throw new ViewError(placeOf(xpath, 'expr'), `"${expr}" is not an XPath expression.`);
  } finally {
    compiled?.dispose();
  }
}

function pathOf(element: XmlElement): NodePath {
  const path: number[] = [];
  for (let node = element; node.parent; node = node.parent) {
    let index = 0;
    for (let before = node.prev; before; before = before.prev) if (isElement(before)) index += 1;
    path.unshift(index);
  }
  return path;
}

function isElement(node: XmlNode): node is XmlElement {
  return node instanceof xmlLibrary().XmlElement;
}

function nameOf(root: ViewNode): string {
  return root.attributes.id ? `${root.place.addon}.${root.attributes.id}` : `<${root.tag}>`;
}

const step = /([\w-]+|\*)\s*\[\s*@([\w-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g;
const tagName = /(?:^|[/:])([a-z][a-z-]*)(?![\w-]*[:(])/g;

/** A suggestion for an expression that finds nothing: the end of a message, or empty. */
function closestNode(root: ViewNode, expr: string): string {
  const nodes = [...walkNodes(root)];
  const steps = [...expr.matchAll(step)].map(([, tag = '*', attribute = '', single, double]) => ({
    tag,
    attribute,
    value: single ?? double ?? '',
  }));
  for (const { tag, attribute, value } of steps) {
    if (nodes.some((node) => hasTag(node, tag) && node.attributes[attribute] === value)) continue;
    return closestByValue(nodes, tag, attribute, value);
  }
  const last = steps.at(-1);
  const there = last && nodes.find((node) => hasTag(node, last.tag) && node.attributes[last.attribute] === last.value);
  if (there) return `${describe(there)} is elsewhere in the view, in ${describeParent(nodes, there)}.`;
  return closestByTag(nodes, expr);
}

function closestByValue(nodes: readonly ViewNode[], tag: string, attribute: string, value: string): string {
  const sameTag = nodes.filter((node) => hasTag(node, tag) && node.attributes[attribute] !== undefined);
  const elsewhere = nodes.find((node) => node.attributes[attribute] === value);
  const candidate = nearest(
    value,
    sameTag.map((node) => node.attributes[attribute] as string),
  );
  const closest = sameTag.find((node) => node.attributes[attribute] === candidate) ?? elsewhere;
  if (closest) return `The closest is ${describe(closest)}.`;
  const values = [...new Set(sameTag.map((node) => node.attributes[attribute] as string))];
  if (values.length === 0) return closestByTag(nodes, tag);
  const shown = values.slice(0, 12).join(', ');
  return `The ${attribute}s of <${tag}> there are ${shown}${values.length > 12 ? ', …' : ''}.`;
}

function closestByTag(nodes: readonly ViewNode[], expr: string): string {
  const tags = new Set(nodes.map((node) => node.tag));
  for (const [, tag = ''] of expr.matchAll(tagName)) {
    if (tags.has(tag)) continue;
    const candidate = nearest(tag, tags);
    const closest = nodes.find((node) => node.tag === candidate);
    if (closest) return `The closest is ${describe(closest)}.`;
    return `It has ${[...tags].map((each) => `<${each}>`).join(', ')}.`;
  }
  return '';
}

function hasTag(node: ViewNode, tag: string): boolean {
  return tag === '*' || node.tag === tag;
}

function describe(node: ViewNode): string {
  const { addon, file, line } = node.place;
  return `${shortTag(node)} (${addon}: ${file}:${line})`;
}

function describeParent(nodes: readonly ViewNode[], child: ViewNode): string {
  const parent = nodes.find((node) => node.children.includes(child));
  return parent ? shortTag(parent) : 'its root';
}

function shortTag(node: ViewNode): string {
  const named = ['name', 'label'].find((attribute) => node.attributes[attribute] !== undefined);
  return named ? `<${node.tag} ${named}="${node.attributes[named]}">` : `<${node.tag}>`;
}
