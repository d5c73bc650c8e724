import type { DevViewNode } from '@kontor/protocol';
import { startTag } from '../parse/write-xml.ts';
import { type Place, type ViewNode, walkNodes } from '../view-node.ts';
import type { StoredView } from './compose-stored-view.ts';

/** `sale: views/order.xml:4 (sale.order_form_margin)`: where a part of a view was written, and the extension unless it is the view itself. */
export function originOf(views: readonly StoredView[], base: StoredView, { addon, file, line }: Place): string {
  // A view and its extensions may be in one file: the last that begins before a line contains it.
  const [view] = views
    .filter((each) => each.module === addon && each.file === file && each.line <= line)
    .sort((a, b) => b.line - a.line);
  const by = view && view !== base ? ` (${view.key})` : '';
  return `${addon}: ${file}:${line}${by}`;
}

/**
 * The elements of a composed view, each with its origin and an expression for `<xpath expr="…">` that finds it and nothing else. `shown` is the
 * same view in the language of the reader.
 */
export function viewTree(root: ViewNode, shown: ViewNode, origin: (place: Place) => string): DevViewNode {
  const known = [...walkNodes(root)];
  const build = (node: ViewNode, translated: ViewNode, position: string): DevViewNode => {
    const only = onlyOne(known, node);
    const xpath = only === null ? position : `//${only}`;
    const changed = Object.entries(node.attributePlaces ?? {}).filter(([name]) => node.attributes[name] !== undefined);
    return {
      tag: node.tag,
      name: node.attributes.name ?? null,
      label: translated.attributes.label ?? null,
      written: readableTag(node),
      attributes: node.attributes,
      xpath,
      origin: origin(node.place),
      changes: changed.map(([name, place]) => ({ attribute: name, origin: origin(place) })),
      children: node.children.map((child, at) => {
        const before = node.children.slice(0, at).filter(({ tag }) => tag === child.tag).length;
        const step = onlyOne(node.children, child) ?? `${child.tag}[${before + 1}]`;
        return build(child, translated.children[at] ?? child, `${xpath}/${step}`);
      }),
    };
  };
  return build(root, shown, `/${root.tag}`);
}

/** `field[@name='state']`: an element by its name, its label or a field in it, if no other of the given ones has it. */
function onlyOne(nodes: readonly ViewNode[], node: ViewNode): string | null {
  const { tag, attributes } = node;
  for (const key of ['name', 'label'] as const) {
    const value = attributes[key];
    if (value === undefined || (value.includes("'") && value.includes('"'))) continue;
    const same = nodes.filter((other) => other.tag === tag && other.attributes[key] === value);
    const quote = value.includes("'") ? '"' : "'";
    if (same.length === 1) return `${tag}[@${key}=${quote}${value}${quote}]`;
  }
  for (const name of fieldsOf(node)) {
    const same = nodes.filter((other) => other.tag === tag && fieldsOf(other).includes(name));
    if (same.length === 1) return `${tag}[field/@name='${name}']`;
  }
  return null;
}

function fieldsOf({ children }: ViewNode): readonly string[] {
  return children.flatMap(({ tag, attributes }) => (tag === 'field' && attributes.name ? [attributes.name] : []));
}

/** The opening tag. Domains are JSON, which is read without escapes in single quotes. */
export function readableTag(node: ViewNode): string {
  return startTag(node).replaceAll(
    /="([^"']*&quot;[^"']*)"/g,
    (_, value: string) => `='${value.replaceAll('&quot;', '"')}'`,
  );
}
