import { ParseOption, XmlDocument, XmlElement, XmlLibError } from 'libxml2-wasm';
import { AddonError, type Place } from '../addon-error.ts';

const options = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_BIG_LINES;

/** Parses a file and hands over its root, which lives only as long as the call. Document types are refused: no entities. */
export function parseXml<T>(text: string, place: Place, use: (root: XmlElement) => T): T {
  const document = open(text.replace(/^\uFEFF/, ''), place);
  try {
    if (document.dtd) throw new AddonError({ ...place, line: 1 }, 'A document type (<!DOCTYPE>) is not allowed.');
    return use(document.root);
  } finally {
    document.dispose();
  }
}

function open(text: string, place: Place): XmlDocument {
  if (text.trim() === '') throw new AddonError({ ...place, line: 1 }, 'The file is empty.');
  try {
    return XmlDocument.fromString(text, { option: options });
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    const [first] = error.details;
    throw new AddonError({ ...place, line: first?.line ?? 1 }, `Broken XML: ${(first ?? error).message.trim()}.`);
  }
}

export function childElements(element: XmlElement): readonly XmlElement[] {
  const children: XmlElement[] = [];
  for (let node = element.firstChild; node; node = node.next) if (node instanceof XmlElement) children.push(node);
  return children;
}

export function attributesOf(element: XmlElement): Readonly<Record<string, string>> {
  return Object.fromEntries(element.attrs.map((attribute) => [attribute.name, attribute.value]));
}
