import { nearest } from '@kontor/protocol';
import { XmlElement, type XmlNode, XmlXPath, XmlXPathError } from 'libxml2-wasm';
import { withDocument } from '../parse/parse-view.ts';
import { writeXml } from '../parse/write-xml.ts';
import { ViewError } from '../view-error.ts';
import { placeOf, type ViewNode, walkNodes } from '../view-node.ts';

/** Positions among the children, from the root down to a node; empty for the root. */
export type NodePath = readonly number[];

/** The first element of the tree that the `expr` of an `<xpath>` finds. Throws ViewError at the xpath when there is none. */
export function findElement(root: ViewNode, xpath: ViewNode): NodePath {
  const expr = xpath.attributes.expr ?? '';
  const place = placeOf(xpath, 'expr');
  return withDocument(writeXml(root), place, (element) => {
    const found = evaluate(element, expr, xpath);
    if (!Array.isArray(found)) throw new ViewError(place, `${expr} gives a ${typeof found}, not an element.`);
    const [first] = found;
    if (!first) throw new ViewError(place, `${expr} finds nothing in ${nameOf(root)}.`, closestNode(root, expr));
    if (!(first instanceof XmlElement)) throw new ViewError(place, `${expr} finds something that is not an element.`);
    return pathOf(first);
  });
}

function evaluate(element: XmlElement, expr: string, xpath: ViewNode): XmlNode[] | string | boolean | number {
  let compiled: XmlXPath | undefined;
  try {
    compiled = XmlXPath.compile(expr);
    return element.eval(compiled);
  } catch (error) {
    if (!(error instanceof XmlXPathError)) throw error;
    throw new ViewError(placeOf(xpath, 'expr'), `"${expr}" is not an XPath expression.`);
  } finally {
    compiled?.dispose();
  }
}

function pathOf(element: XmlElement): NodePath {
  const path: number[] = [];
  for (let node = element; node.parent; node = node.parent) {
    let index = 0;
    for (let before = node.prev; before; before = before.prev) if (before instanceof XmlElement) index += 1;
    path.unshift(index);
  }
  return path;
}

function nameOf(root: ViewNode): string {
  return root.attributes.id ? `${root.place.addon}.${root.attributes.id}` : `<${root.tag}>`;
}

const step = /([\w-]+|\*)\s*\[\s*@([\w-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g;
const tagName = /(?:^|[/:])([a-z][a-z-]*)(?![\w-]*[:(])/g;

/** What an expression that finds nothing was probably meant to find: ends a message, or is empty. */
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
