import { AddonError } from '../addon-error.ts';
import { checksumOf } from './checksum.ts';
import { type DataRecord, refsOf } from './data-record.ts';
import type { ExternalId } from './external-ids.ts';

export interface PlannedRecord {
  readonly record: DataRecord;
  readonly checksum: string;
  /** The row of an earlier load. */
  readonly known: ExternalId | null;
  readonly step: 'create' | 'update' | 'keep';
}

/**
 * Decides for each record, in load order, whether it is made, changed or left. Unchanged and noupdate records are left; so
 * are noupdate records that people deleted (`gone`), unless another record needs them.
 */
export function planLoad(
  records: readonly DataRecord[],
  known: ReadonlyMap<string, ExternalId>,
  gone: ReadonlySet<string>,
): readonly PlannedRecord[] {
  const needed = new Set<string>();
  const plan: PlannedRecord[] = [];
  // From the end: whatever may need a record comes after it.
  for (const record of [...records].reverse()) {
    const planned = planOne(record, known.get(record.id) ?? null, gone.has(record.id), needed);
    if (planned.step !== 'keep') for (const ref of refsOf(record)) needed.add(ref);
    plan.push(planned);
  }
  return plan.reverse();
}

function planOne(
  record: DataRecord,
  known: ExternalId | null,
  isGone: boolean,
  needed: ReadonlySet<string>,
): PlannedRecord {
  const checksum = checksumOf(record);
  if (!known) return { record, checksum, known, step: 'create' };
  if (known.model !== record.model) {
    const message = `"${record.id}" was a record of ${known.model} and cannot become one of ${record.model}; give it another id.`;
    throw new AddonError(record.place, message);
  }
  const isLeft = record.noupdate || known.noupdate;
  if (isGone) return { record, checksum, known, step: isLeft && !needed.has(record.id) ? 'keep' : 'create' };
  return { record, checksum, known, step: isLeft || known.checksum === checksum ? 'keep' : 'update' };
}
