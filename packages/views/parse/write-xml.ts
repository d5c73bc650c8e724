import type { ViewNode } from '../view-node.ts';

/**
 * The XML of a node. Every tag is on its original line, counted from that of the root: the text can be stored in the database, and
 * an error in it still names the line of the file.
 */
export function writeXml(root: ViewNode): string {
  let text = '';
  let line = root.place.line;
  const write = (piece: string) => {
    text += piece;
    line += piece.split('\n').length - 1;
  };
  const writeNode = (node: ViewNode) => {
    if (node.place.file === root.place.file && node.place.line > line) write('\n'.repeat(node.place.line - line));
    write(startTag(node));
    write(escapeText(node.text));
    for (const child of node.children) writeNode(child);
    if (!isEmpty(node)) write(`</${node.tag}>`);
  };
  writeNode(root);
  return text;
}

/** The opening tag of a node, closed if it is empty. */
export function startTag(node: ViewNode): string {
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeAttribute(value)}"`);
  return `<${node.tag}${attributes.join('')}${isEmpty(node) ? '/' : ''}>`;
}

function isEmpty(node: ViewNode): boolean {
  return node.children.length === 0 && node.text === '';
}

function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;');
}

/** White space in attributes would be normalised to spaces when it is read again. */
function escapeAttribute(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll('\t', '&#9;').replaceAll('\n', '&#10;');
}
