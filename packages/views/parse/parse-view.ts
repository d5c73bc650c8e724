import { didYouMean } from '@kontor/protocol';
import type { XmlDocument, XmlElement } from 'libxml2-wasm';
import { type ReportProblem, ViewError } from '../view-error.ts';
import { isViewKind, type Place, type ViewNode, viewKinds } from '../view-node.ts';
import { checkShape } from './check-shape.ts';
import { parseXml, xmlLibrary } from './xml-library.ts';

export interface ViewSource {
  readonly addon: string;
  readonly file: string;
  /** The line of the file on which the text starts; default: 1. */
  readonly line?: number;
}

/** Parses any XML text into nodes, whatever their tags. Throws ViewError. */
export function parseNode(xml: string, source: ViewSource): ViewNode {
  const place = { addon: source.addon, file: source.file, line: source.line ?? 1 };
  return withDocument(xml, place, (root) => readElement(root, place));
}

/**
 * Parses a text and passes its root to a callback; the root is valid only during the call. Document types are rejected:
 * no entities.
 */
export function withDocument<T>(text: string, place: Place, use: (root: XmlElement) => T): T {
  const document = open(text.replace(/^\uFEFF/, ''), place);
  try {
    if (document.dtd) throw new ViewError(place, 'A document type (<!DOCTYPE>) is not allowed.');
    return use(document.root);
  } finally {
    document.dispose();
  }
}

function open(text: string, place: Place): XmlDocument {
  if (text.trim() === '') throw new ViewError(place, 'The view is empty.');
  try {
    return parseXml(text);
  } catch (error) {
    if (!(error instanceof xmlLibrary().XmlLibError)) throw error;
    const [first] = error.details;
    const line = place.line + (first?.line ?? 1) - 1;
    throw new ViewError({ ...place, line }, `Broken XML: ${(first ?? error).message.trim()}.`);
  }
}

/**
 * Converts an element and its descendants to nodes; `place` is where line 1 of its document is. Comments are left out.
 */
export function readElement(element: XmlElement, place: Place): ViewNode {
  const { XmlCData, XmlElement, XmlEntityReference, XmlText } = xmlLibrary();
  const own = { ...place, line: place.line + element.line - 1 };
  if (element.namespaceUri !== '') throw new ViewError(own, `<${element.name}>: views have no namespaces.`);
  const children: ViewNode[] = [];
  let text = '';
  for (let node = element.firstChild; node; node = node.next) {
    if (node instanceof XmlElement) children.push(readElement(node, place));
    else if (node instanceof XmlText || node instanceof XmlCData) text += node.content;
    else if (node instanceof XmlEntityReference) throw new ViewError(own, `There is no entity "&${node.name};".`);
  }
  return { tag: element.name, attributes: readAttributes(element, own), text: text.trim(), children, place: own };
}

function readAttributes(element: XmlElement, place: Place): Readonly<Record<string, string>> {
  return Object.fromEntries(
    element.attrs.map((attribute) => {
      if (attribute.namespaceUri !== '') throw new ViewError(place, `"${attribute.name}": views have no namespaces.`);
      return [attribute.name, attribute.value];
    }),
  );
}

/** The node tree of a stored view or inherit, checked against the grammar. Throws ViewError. */
export function parseView(xml: string, source: ViewSource, report?: ReportProblem): ViewNode {
  const node = parseNode(xml, source);
  if (!isViewKind(node.tag) && node.tag !== 'inherit') {
    throw new ViewError(node.place, `<${node.tag}> is not a view.`, didYouMean(node.tag, [...viewKinds, 'inherit']));
  }
  checkShape(node, node.tag, report);
  return node;
}
