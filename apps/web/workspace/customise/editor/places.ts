import type { DevViewNode } from '@kontor/protocol';

/** Where something can be put: before or after an element, or into one that is empty. */
export interface Place {
  readonly expr: string;
  readonly position: 'before' | 'after' | 'inside';
}

/** An element of the outline. */
export interface OutlineRow {
  readonly node: DevViewNode;
  readonly depth: number;
  readonly parent: DevViewNode;
  /** The field of the lines that it is a column of. */
  readonly lines: string | null;
}

const body = ['form', 'group', 'page'];

/** The elements that each kind of element can be in. */
const holders: Readonly<Record<string, readonly string[]>> = {
  field: [...body, 'list', 'card', 'subtitle', 'footer'],
  group: body,
  notebook: body,
  separator: body,
  text: body,
  page: ['notebook'],
};

/** Elements that are listed, besides those that can be moved. */
const listed = new Set(['title', 'subtitle', 'footer', 'card', 'list', ...Object.keys(holders)]);

/** The elements of a view in the order of the screen, without its root and its buttons. */
export function outlineOf(root: DevViewNode): readonly OutlineRow[] {
  const rows: OutlineRow[] = [];
  const walk = (parent: DevViewNode, depth: number, lines: string | null) => {
    for (const node of parent.children) {
      if (!listed.has(node.tag)) continue;
      rows.push({ node, depth, parent, lines });
      walk(node, depth + 1, node.tag === 'list' ? parent.name : lines);
    }
  };
  walk(root, 0, null);
  return rows;
}

export function canMove({ node, parent }: OutlineRow): boolean {
  return holders[node.tag]?.includes(parent.tag) === true;
}

/**
 * Every place for an element of a kind, in the order of the screen. Columns of lines stay in their lines, and nothing else goes there: they
 * belong to another model. `moved` is left out with all that is in it.
 */
export function placesFor(root: DevViewNode, kind: string, moved: DevViewNode | null): readonly Place[] {
  const lines = moved ? linesAround(root, moved) : null;
  const places: Place[] = [];
  const walk = (parent: DevViewNode, inLines: DevViewNode | null) => {
    const children = parent.children.filter((child) => child !== moved && listed.has(child.tag));
    const isOpen = inLines === lines && holders[kind]?.includes(parent.tag) === true;
    const [first] = children.filter((child) => kind === 'page' || child.tag !== 'title');
    if (isOpen && !first) places.push({ expr: parent.xpath, position: 'inside' });
    if (isOpen && first) places.push({ expr: first.xpath, position: 'before' });
    for (const child of children) {
      walk(child, child.tag === 'list' ? child : inLines);
      if (isOpen && child.tag !== 'title') places.push({ expr: child.xpath, position: 'after' });
    }
  };
  walk(root, null);
  return places;
}

/** The lines that an element is a column of. */
function linesAround(root: DevViewNode, wanted: DevViewNode): DevViewNode | null {
  const find = (node: DevViewNode, lines: DevViewNode | null): DevViewNode | null | undefined => {
    if (node === wanted) return lines;
    for (const child of node.children) {
      const found = find(child, child.tag === 'list' ? child : lines);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(root, null) ?? null;
}

/** The place of an element now, as `placesFor` names it. */
export function placeNow(places: readonly Place[], { node, parent }: OutlineRow): number {
  const siblings = parent.children.filter(({ tag }) => listed.has(tag) && tag !== 'title');
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const isIt = (place: Place) =>
    before
      ? place.expr === before.xpath && place.position === 'after'
      : after
        ? place.expr === after.xpath && place.position === 'before'
        : place.expr === parent.xpath && place.position === 'inside';
  return places.findIndex(isIt);
}

/** The same place by the name that `placesFor` gives it; null if there is none. */
export function placeBeside(places: readonly Place[], rows: readonly OutlineRow[], wanted: Place): Place | null {
  const same = (expr: string, position: Place['position']) =>
    places.find((place) => place.expr === expr && place.position === position) ?? null;
  const found = same(wanted.expr, wanted.position);
  if (found) return found;
  const row = rows.find(({ node }) => node.xpath === wanted.expr);
  if (!row) return null;
  if (wanted.position === 'inside') {
    const children = row.node.children.filter(({ tag }) => listed.has(tag));
    const last = children.at(-1);
    return last ? same(last.xpath, 'after') : null;
  }
  const siblings = row.parent.children.filter(({ tag }) => listed.has(tag));
  const before = siblings[siblings.indexOf(row.node) - 1];
  return wanted.position === 'before' && before ? same(before.xpath, 'after') : null;
}

/** Where a new element goes without being dragged: after the selected one, else at the end of the first part that takes it. */
export function placeAfter(
  places: readonly Place[],
  rows: readonly OutlineRow[],
  selected: OutlineRow | undefined,
): Place | null {
  for (let row = selected; row; row = rows.find(({ node }) => node === row?.parent)) {
    const expr = row.node.xpath;
    const found = places.find((place) => place.expr === expr && place.position !== 'before');
    if (found) return found;
  }
  return places.at(-1) ?? null;
}

/** A step as the document has it. */
export type Step = Readonly<Record<string, unknown>> & { readonly expr: string; readonly position: string };

export function moveStep(place: Place, node: DevViewNode): Step {
  return { ...place, move: node.xpath };
}

export function fieldStep(place: Place, name: string): Step {
  return { ...place, fields: [{ name }] };
}

export function elementStep(place: Place, tag: 'group' | 'page' | 'notebook', label: string): Step {
  return { ...place, element: { tag, label } };
}

export function attributeStep(node: DevViewNode, attributes: Readonly<Record<string, string>>): Step {
  return { expr: node.xpath, position: 'attributes', attributes };
}

/** What can be set of an element, by its tag and where it is. */
export function settings({ node, parent }: OutlineRow): ReadonlySet<string> {
  const { tag } = node;
  if (tag === 'group') return new Set(['label', 'columns', 'invisible']);
  if (tag === 'page' || tag === 'separator') return new Set(['label', 'invisible']);
  if (tag === 'text') return new Set(['invisible']);
  if (tag !== 'field') return new Set();
  if (['card', 'footer'].includes(parent.tag)) return new Set(['label', 'invisible']);
  const column = parent.tag === 'list' ? ['optional'] : ['placeholder'];
  return new Set(['label', 'help', 'invisible', 'readonly', 'required', ...column]);
}
