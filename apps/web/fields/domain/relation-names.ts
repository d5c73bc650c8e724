import type { ArchField, DomainNode } from '@kontor/protocol';
import { useEffect } from 'react';
import { nameOnScreen, recall, remember } from '../../data/records.ts';
import { searchRead } from '../../data/rpc.ts';
import { createStore, useStore } from '../../state/store.ts';

/** Increased when names are loaded, so that components showing them render again. */
const version = createStore(0);
const asked = new Set<string>();
/** Those that a rule hides. */
const hidden = new Set<string>();

export function relationName(model: string, id: unknown): string {
  const name = typeof id === 'number' ? recall(model, id)?.display_name : undefined;
  return nameOnScreen(name ?? (hidden.has(`${model},${String(id)}`) ? null : undefined));
}

export function rememberName(model: string, id: number, name: string): void {
  if (recall(model, id)?.display_name !== name) remember(model, [{ id, display_name: name }]);
}

/** Loads the names of records that conditions reference, once each. */
export function useRelationNames(nodes: readonly DomainNode[], fields: readonly ArchField[]): void {
  useStore(version);
  const wanted = nodes.flatMap((node) => relationIds(node, fields));
  const key = wanted.map(({ model, id }) => `${model},${id}`).join(';');
  useEffect(() => {
    const byModel = new Map<string, number[]>();
    for (const [model = '', id] of key.split(';').map((one) => one.split(','))) {
      if (model === '' || asked.has(`${model},${id}`) || recall(model, Number(id))?.display_name) continue;
      asked.add(`${model},${id}`);
      byModel.set(model, [...(byModel.get(model) ?? []), Number(id)]);
    }
    for (const [model, ids] of byModel) void fetchNames(model, ids);
  }, [key]);
}

async function fetchNames(model: string, ids: readonly number[]): Promise<void> {
  try {
    const found = await searchRead(model, [['id', 'in', ids]], ['display_name']);
    remember(model, found);
    for (const id of ids) if (!found.some((one) => one.id === id)) hidden.add(`${model},${id}`);
    version.set((now) => now + 1);
  } catch {
    for (const id of ids) asked.delete(`${model},${id}`);
  }
}

function relationIds(node: DomainNode, fields: readonly ArchField[]): readonly { model: string; id: number }[] {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.nodes.flatMap((one) => relationIds(one, fields));
    case 'not':
      return relationIds(node.node, fields);
    case 'condition': {
      const model = fields.find(({ name }) => node.path.length === 1 && name === node.path[0])?.relation;
      const values = Array.isArray(node.value) ? node.value : [node.value];
      return model ? values.flatMap((id) => (typeof id === 'number' ? [{ model, id }] : [])) : [];
    }
    default:
      return [];
  }
}
