import { didYouMean } from '@kontor/protocol';
import { BadAttribute, readAttribute } from '../grammar/attribute-value.ts';
import { childKind, childTags, tagSpec } from '../grammar/grammar.ts';
import type { TagSpec } from '../grammar/tag-spec.ts';
import { ViewError } from '../view-error.ts';
import { placeOf, type ViewNode } from '../view-node.ts';
import { shapeRules } from './shape-rules.ts';

/** Holds a node and all inside it against the grammar: tags, attributes, how often, and the form of each value. */
export function checkShape(node: ViewNode, kind: string): void {
  const spec = tagSpec(kind);
  checkAttributes(node, spec);
  checkText(node, spec);
  shapeRules[kind]?.(node, checkShape);
  if (spec.children === 'any') return;
  const counts = new Map<string, number>();
  for (const child of node.children) {
    const inside = childKind(spec, child.tag);
    if (inside === null) throw misplaced(child, node, spec);
    const count = (counts.get(inside) ?? 0) + 1;
    counts.set(inside, count);
    const occurrence = spec.children[inside];
    if (count > 1 && (occurrence === 'one' || occurrence === 'must')) {
      throw new ViewError(child.place, `<${node.tag}> takes one <${child.tag}>.`);
    }
    checkShape(child, inside);
  }
  for (const [inside, occurrence] of Object.entries(spec.children)) {
    if ((occurrence === 'must' || occurrence === 'some') && !counts.has(inside)) {
      throw new ViewError(node.place, `<${node.tag}> needs a <${tagSpec(inside).tag}> inside.`);
    }
  }
}

function checkAttributes(node: ViewNode, spec: TagSpec): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    const attribute = Object.hasOwn(spec.attributes, name) ? spec.attributes[name] : undefined;
    const place = placeOf(node, name);
    if (!attribute) {
      const hint = didYouMean(name, Object.keys(spec.attributes));
      throw new ViewError(place, `<${node.tag}> has no attribute "${name}".`, hint);
    }
    try {
      readAttribute(attribute, value);
    } catch (error) {
      if (!(error instanceof BadAttribute)) throw error;
      throw new ViewError(place, `<${node.tag}>: "${name}" ${error.message}`, error.hint);
    }
  }
  for (const [name, attribute] of Object.entries(spec.attributes)) {
    if (attribute.isRequired && !Object.hasOwn(node.attributes, name)) {
      throw new ViewError(node.place, `<${node.tag}> needs the attribute "${name}".`);
    }
  }
}

function checkText(node: ViewNode, spec: TagSpec): void {
  if (spec.text === 'must' && node.text === '') throw new ViewError(node.place, `<${node.tag}> needs a text inside.`);
  if (spec.text || node.text === '') return;
  throw new ViewError(node.place, `<${node.tag}> takes no text, but has "${node.text.slice(0, 40)}".`);
}

function misplaced(child: ViewNode, parent: ViewNode, spec: TagSpec): ViewError {
  const tags = childTags(spec);
  if (tags.length === 0)
    return new ViewError(child.place, `<${parent.tag}> takes nothing inside, but has <${child.tag}>.`);
  const hint = didYouMean(child.tag, tags) || `It takes ${tags.map((tag) => `<${tag}>`).join(', ')}.`;
  return new ViewError(child.place, `<${child.tag}> cannot stand in <${parent.tag}>.`, hint);
}
