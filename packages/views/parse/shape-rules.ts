import { ViewError } from '../view-error.ts';
import { placeOf, type ViewNode, walkNodes } from '../view-node.ts';

type CheckShape = (node: ViewNode, kind: string) => void;

/** What the grammar cannot say of one tag alone. */
export const shapeRules: Readonly<Record<string, (node: ViewNode, checkShape: CheckShape) => void>> = {
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

/** The rest of the content is checked once it stands in the view. */
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
