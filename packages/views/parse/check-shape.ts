import { chooseOne, didYouMean } from '@kontor/protocol';
import { BadAttribute, readAttribute } from '../grammar/attribute-value.ts';
import { childKind, childTags, tagSpec } from '../grammar/grammar.ts';
import type { Occurrence, TagSpec } from '../grammar/tag-spec.ts';
import { attempt, type ReportProblem, ViewError } from '../view-error.ts';
import { placeOf, type ViewNode, walkNodes } from '../view-node.ts';

/** Checks a node and its descendants against the grammar: tags, attributes, counts, and the form of each value. */
export function checkShape(node: ViewNode, kind: string, report?: ReportProblem): void {
  const spec = tagSpec(kind);
  const inside: CheckShape = (child, childsKind) => checkShape(child, childsKind, report);
  checkAttributes(node, spec, report);
  attempt(report, () => checkText(node, spec));
  attempt(report, () => shapeRules[kind]?.(node, inside));
  if (spec.children !== 'any') checkChildren(node, spec, spec.children, report);
}

function checkChildren(
  node: ViewNode,
  spec: TagSpec,
  children: Readonly<Record<string, Occurrence>>,
  report: ReportProblem | undefined,
): void {
  const counts = new Map<string, number>();
  for (const child of node.children) {
    attempt(report, () => {
      const inside = childKind(spec, child.tag);
      if (inside === null) throw misplaced(child, node, spec);
      const count = (counts.get(inside) ?? 0) + 1;
      counts.set(inside, count);
      const occurrence = children[inside];
      if (count > 1 && (occurrence === 'one' || occurrence === 'must')) {
        throw new ViewError(child.place, `<${node.tag}> takes one <${child.tag}>.`);
      }
      checkShape(child, inside, report);
    });
  }
  for (const [inside, occurrence] of Object.entries(children)) {
    if ((occurrence !== 'must' && occurrence !== 'some') || counts.has(inside)) continue;
    attempt(report, () => {
      throw new ViewError(node.place, `<${node.tag}> needs a <${tagSpec(inside).tag}> inside.`);
    });
  }
}

function checkAttributes(node: ViewNode, spec: TagSpec, report: ReportProblem | undefined): void {
  for (const [name, value] of Object.entries(node.attributes)) {
    attempt(report, () => checkGiven(node, spec, name, value));
  }
  for (const [name, attribute] of Object.entries(spec.attributes)) {
    if (!attribute.isRequired || Object.hasOwn(node.attributes, name)) continue;
    attempt(report, () => {
      throw new ViewError(node.place, `<${node.tag}> needs the attribute "${name}".`);
    });
  }
}

function checkGiven(node: ViewNode, spec: TagSpec, name: string, value: string): void {
  const attribute = Object.hasOwn(spec.attributes, name) ? spec.attributes[name] : undefined;
  const place = placeOf(node, name);
  if (!attribute) {
    const hint = chooseOne(name, Object.keys(spec.attributes));
    throw new ViewError(place, `<${node.tag}> has no attribute "${name}".`, hint);
  }
  try {
    readAttribute(attribute, value);
  } catch (error) {
    if (!(error instanceof BadAttribute)) throw error;
    throw new ViewError(place, `<${node.tag}>: "${name}" ${error.message}`, error.hint);
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

type CheckShape = (node: ViewNode, kind: string) => void;

/** Checks that the grammar cannot express for a single tag. */
const shapeRules: Readonly<Record<string, (node: ViewNode, checkShape: CheckShape) => void>> = {
  'search.filter': (node) => {
    if (node.attributes.domain !== undefined || node.attributes['group-by'] !== undefined) return;
    throw new ViewError(node.place, '<filter> needs a "domain", a "group-by" or both.');
  },
  search: (node) => {
    refuseRepeated(node, 'filter', (child) => child.attributes.name);
  },
  list: (node) => {
    refuseRepeated(node, 'field', (child) => child.attributes.name);
  },
  'inline.list': (node) => {
    refuseRepeated(node, 'field', (child) => child.attributes.name);
  },
  'form.notebook': (node) => {
    refuseRepeated(node, 'page', (child) => child.attributes.name);
  },
  graph: (node) => {
    refuseRepeated(node, 'group-by', groupKey);
  },
  'form.group': (node) => {
    const columns = node.attributes.columns;
    if (columns !== undefined && !/^[1-4]$/.test(columns.trim())) {
      throw new ViewError(placeOf(node, 'columns'), `<group>: "columns" takes 1 to 4, not "${columns}".`);
    }
  },
  xpath: (node, checkShape) => {
    const { position } = node.attributes;
    if (position !== 'replace' && node.children.length === 0) {
      throw new ViewError(node.place, `<xpath position="${position}"> has nothing inside.`);
    }
    for (const child of node.children) {
      if (position !== 'attributes') checkMoves(child, checkShape);
      else if (child.tag === 'attribute') checkShape(child, 'attribute');
      else throw new ViewError(child.place, `<xpath position="attributes"> takes <attribute>, not <${child.tag}>.`);
    }
  },
};

/** The rest of the content is checked in the composed view. */
function checkMoves(content: ViewNode, checkShape: CheckShape): void {
  for (const node of walkNodes(content)) if (node.tag === 'xpath') checkShape(node, 'xpath.move');
}

function groupKey(node: ViewNode): string {
  return `${node.attributes.name}:${node.attributes.interval ?? ''}`;
}

function refuseRepeated(node: ViewNode, tag: string, keyOf: (child: ViewNode) => string | undefined): void {
  const seen = new Set<string>();
  for (const child of node.children) {
    const key = child.tag === tag ? keyOf(child) : undefined;
    if (key === undefined) continue;
    if (seen.has(key)) throw new ViewError(child.place, `<${node.tag}> has <${tag}> "${key.replace(/:$/, '')}" twice.`);
    seen.add(key);
  }
}
