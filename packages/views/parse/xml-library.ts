import type { XmlDocument } from 'libxml2-wasm';

type XmlLibrary = typeof import('libxml2-wasm');

let library: XmlLibrary | null = null;

/** Reads the XML library, once. To make it ready takes a tenth of a start, so whoever parses waits for it first. */
export async function openXml(): Promise<void> {
  library ??= await import('libxml2-wasm');
}

/** The XML library; `openXml` comes before. */
export function xmlLibrary(): XmlLibrary {
  if (!library) throw new Error('The XML library has not been read yet: wait for openXml() before XML is parsed.');
  return library;
}

/** Nothing is fetched from elsewhere, and lines past 65,535 keep their number. Throws `XmlLibError`. */
export function parseXml(text: string): XmlDocument {
  const { ParseOption, XmlDocument } = xmlLibrary();
  const { XML_PARSE_NO_XXE, XML_PARSE_NONET, XML_PARSE_BIG_LINES } = ParseOption;
  return XmlDocument.fromString(text, { option: XML_PARSE_NO_XXE | XML_PARSE_NONET | XML_PARSE_BIG_LINES });
}
