import type { XmlDocument } from 'libxml2-wasm';

type XmlLibrary = typeof import('libxml2-wasm');

let library: XmlLibrary | null = null;

/** Loads the XML library, once. Initialising it takes a tenth of a start, so parsers wait for it first. */
export async function openXml(): Promise<void> {
  library ??= await import('libxml2-wasm');
}

/** The XML library; call `openXml` first. */
export function xmlLibrary(): XmlLibrary {
  if (!library) throw new Error('The XML library has not been read yet: wait for openXml() before XML is parsed.');
  return library;
}

/** Nothing is fetched from the network, and lines beyond 65,535 keep their number. Throws `XmlLibError`. */
export function parseXml(text: string): XmlDocument {
  const { ParseOption, XmlDocument } = xmlLibrary();
  const { XML_PARSE_NO_XXE, XML_PARSE_NONET, XML_PARSE_BIG_LINES } = ParseOption;
  return XmlDocument.fromString(text, { option: XML_PARSE_NO_XXE | XML_PARSE_NONET | XML_PARSE_BIG_LINES });
}
