import type { DraftNode } from './draft.ts';

/** A node's value as callers have it: ids instead of records. */
export function wireValue(value: unknown): unknown {
  if (isNode(value)) return value.id;
  return Array.isArray(value) && value.every(isNode) ? value.map((node) => node.id) : (value ?? null);
}

function isNode(value: unknown): value is DraftNode {
  return typeof value === 'object' && value !== null && 'edits' in value && 'model' in value;
}
