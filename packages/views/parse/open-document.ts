import { ParseOption, XmlDocument, type XmlElement, XmlLibError } from 'libxml2-wasm';
import { ViewError } from '../view-error.ts';
import type { Place } from '../view-node.ts';

const options = ParseOption.XML_PARSE_NO_XXE | ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_BIG_LINES;

/** Parses a text and hands over its root, which lives only as long as the call. Document types are refused: no entities. */
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
    return XmlDocument.fromString(text, { option: options });
  } catch (error) {
    if (!(error instanceof XmlLibError)) throw error;
    const [first] = error.details;
    const line = place.line + (first?.line ?? 1) - 1;
    throw new ViewError({ ...place, line }, `Broken XML: ${(first ?? error).message.trim()}.`);
  }
}
