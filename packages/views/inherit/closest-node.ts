import { nearest } from '@kontor/protocol';
import { type ViewNode, walkNodes } from '../view-node.ts';

const step = /([\w-]+|\*)\s*\[\s*@([\w-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")/g;
const tagName = /(?:^|[/:])([a-z][a-z-]*)(?![\w-]*[:(])/g;

/** What an expression that finds nothing was probably meant to find: ends a message, or is empty. */
export function closestNode(root: ViewNode, expr: string): string {
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
