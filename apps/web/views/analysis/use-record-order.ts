import type { ArchField } from '@kontor/protocol';
import { useEffect, useState } from 'react';
import { searchRead } from '../../data/rpc.ts';
import { whileBusy } from '../../state/idle.ts';

/** Where each record stands in the order of its own model. */
export type RecordOrder = ReadonlyMap<unknown, number>;

const noOrder: RecordOrder = new Map();
/** Stages and people are few; of more than these nobody knows the order by heart. */
const most = 80;
const known = new Map<string, RecordOrder>();

/**
 * Groups by a relation come sorted by name. Stages have an order of their own, which people know: it is asked for, and null
 * until it is here. A relation with many records, or one that the person may not read, stays sorted by name.
 */
export function useRecordOrder(field: ArchField | null, values: readonly unknown[] | null): RecordOrder | null {
  const relation = field?.relation;
  const ids = (values ?? []).filter((value) => typeof value === 'number');
  const isWanted = relation !== undefined && ids.length > 1 && ids.length <= most && field?.related?.read !== false;
  const key = isWanted ? `${relation} ${[...ids].sort((a, b) => a - b)}` : '';
  const [found, setFound] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says which records.
  useEffect(() => {
    if (!isWanted || known.has(key)) return;
    let isCurrent = true;
    const keep = (order: RecordOrder) => {
      known.set(key, order);
      if (isCurrent) setFound(key);
    };
    whileBusy(searchRead(relation, [['id', 'in', ids]], ['id'], { limit: most }, { isQuiet: true })).then(
      (records) => keep(new Map(records.map(({ id }, at) => [id, at]))),
      () => keep(noOrder),
    );
    return () => {
      isCurrent = false;
    };
  }, [key, found]);
  if (!isWanted) return noOrder;
  return known.get(key) ?? null;
}
