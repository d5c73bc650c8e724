import type { RecordValues } from '../../data/rpc.ts';

/** Lines as records: as they come from the server, as ids, or as the one command that a list cell holds. */
export function recordsOf(value: unknown): readonly RecordValues[] {
  if (!Array.isArray(value)) return [];
  const [first] = value as unknown[];
  if (Array.isArray(first) && first[0] === 'set') return recordsOf(first[1]);
  return (value as unknown[]).flatMap((item) => {
    if (typeof item === 'number') return [{ id: item }];
    return typeof item === 'object' && item !== null && 'id' in item ? [item as RecordValues] : [];
  });
}
