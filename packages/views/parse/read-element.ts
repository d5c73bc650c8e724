import { XmlCData, XmlElement, XmlEntityReference, XmlText } from 'libxml2-wasm';
import { ViewError } from '../view-error.ts';
import type { Place, ViewNode } from '../view-node.ts';

/** The nodes of an element and all inside it; `place` is where line 1 of its document is. Comments are left out. */
export function readElement(element: XmlElement, place: Place): ViewNode {
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
