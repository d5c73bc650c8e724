import { isRecordId } from '@kontor/orm';
import type { RecordRef } from '@kontor/protocol';

const mostRecords = 20;

/** The records of `{watch: [{model, id}]}`; null for anything else, which nobody has to answer. */
export function readWatch(text: string): readonly RecordRef[] | null {
  const watch = watchOf(text);
  if (!Array.isArray(watch) || watch.length > mostRecords) return null;
  const records = new Map<string, RecordRef>();
  for (const item of watch as unknown[]) {
    if (!isRef(item)) return null;
    records.set(`${item.model},${item.id}`, { model: item.model, id: item.id });
  }
  return [...records.values()];
}

function watchOf(text: string): unknown {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' && message !== null ? (message as { watch?: unknown }).watch : undefined;
  } catch {
    return undefined;
  }
}

function isRef(item: unknown): item is RecordRef {
  if (typeof item !== 'object' || item === null) return false;
  const { model, id } = item as Record<string, unknown>;
  return typeof model === 'string' && model.length <= 128 && isRecordId(id);
}
