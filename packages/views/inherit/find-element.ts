import { XmlElement, type XmlNode, XmlXPath, XmlXPathError } from 'libxml2-wasm';
import { withDocument } from '../parse/open-document.ts';
import { writeXml } from '../parse/write-xml.ts';
import { ViewError } from '../view-error.ts';
import { placeOf, type ViewNode } from '../view-node.ts';
import { closestNode } from './closest-node.ts';

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
