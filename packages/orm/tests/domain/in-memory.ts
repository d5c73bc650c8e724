import type { Model, Registry } from '../../model/model.ts';
import type { Rows } from './domain-world.ts';

export interface Data {
  readonly rows: ReadonlyMap<string, Rows>;
  readonly links: readonly (readonly [item: number, tag: number])[];
}

type Node = { [field: string]: unknown; id: number };

/**
 * The rows as the evaluator takes them: every relation followed, back references included. What is not visible stays an id
 * in a many2one and is missing from x2many lists, as a caller would see it.
 */
export function nest(
  registry: Registry,
  data: Data,
  isVisible: (model: string, id: number) => boolean,
): readonly Node[] {
  const loaded = new Map<string, Map<number, Node>>();
  for (const [name, rows] of data.rows) loaded.set(name, new Map(rows.map((row) => [row.id, { ...row }])));
  const all = (name: string) => [...(loaded.get(name) as Map<number, Node>).values()];
  const seen = (name: string) => all(name).filter((node) => isVisible(name, node.id));
  for (const name of data.rows.keys()) {
    const model = registry.model(name);
    for (const node of all(name)) fillLists(model, node, data, seen);
  }
  for (const name of data.rows.keys()) {
    const many2ones = [...registry.model(name).fields.values()].filter((field) => field.spec.type === 'many2one');
    for (const { name: field, spec } of many2ones) {
      const target = spec.relation as string;
      if (!loaded.has(target)) continue;
      for (const node of all(name)) {
        const id = node[field] as number | null | undefined;
        if (typeof id === 'number' && isVisible(target, id)) node[field] = loaded.get(target)?.get(id);
      }
    }
  }
  for (const node of all('x.node')) node.display_name = nodeName(node);
  for (const name of ['x.tag', 'x.item']) for (const node of all(name)) node.display_name = node.name;
  for (const node of all('x.line')) node.display_name = `${registry.model('x.line').label} #${node.id}`;
  for (const node of all('x.item')) node.node_code = (node.node_id as Node | null)?.code ?? null;
  return all('x.item');
}

function nodeName(node: Node): string {
  return `${node.name ?? ''}${node.code ? ` (${node.code})` : ''}`;
}

/** Runs while many2ones are still ids. */
function fillLists(model: Model, node: Node, data: Data, seen: (name: string) => readonly Node[]): void {
  for (const { name, spec } of model.fields.values()) {
    const relation = spec.relation as string;
    if (spec.type === 'one2many') {
      node[name] = seen(relation).filter((line) => line[spec.inverse as string] === node.id);
    }
    if (spec.type === 'many2many') {
      const ids = data.links.filter(([item]) => item === node.id).map(([, tag]) => tag);
      node[name] = seen(relation).filter((tag) => ids.includes(tag.id));
    }
  }
  if (model.name !== 'x.item') return;
  const lines = seen('x.line').filter((line) => line.item_id === node.id);
  node.line_count = lines.length;
  node.line_qty = lines.reduce((sum, line) => sum + ((line.qty as number | null) ?? 0), 0);
  node.is_big = ((node.qty as number | null) ?? 0) > 10;
}

/** Ids above a node, nearest first; a circle ends where it began. */
export function ancestorsOf(nodes: Rows, id: number): readonly number[] {
  const above: number[] = [];
  let current = nodes.find((node) => node.id === id)?.parent_id as number | null | undefined;
  while (typeof current === 'number' && !above.includes(current)) {
    above.push(current);
    current = nodes.find((node) => node.id === above.at(-1))?.parent_id as number | null | undefined;
  }
  return above;
}
