import { createHash } from 'node:crypto';
import { type ExternalId, groupBy } from '@kontor/orm';
import { AddonError } from '../addon-error.ts';
import { type DataRecord, refsOf } from './data-record.ts';

export interface PlannedRecord {
  readonly record: DataRecord;
  readonly checksum: string;
  /** The row of an earlier load. */
  readonly known: ExternalId | null;
  readonly step: 'create' | 'update' | 'keep';
}

/**
 * Decides for each record, in load order, whether it is created, changed or left. Unchanged and noupdate records are
 * left; so are noupdate records that users deleted (`gone`), unless another record needs them.
 */
export function planLoad(
  records: readonly DataRecord[],
  known: ReadonlyMap<string, ExternalId>,
  gone: ReadonlySet<string>,
): readonly PlannedRecord[] {
  const needed = new Set<string>();
  const plan: PlannedRecord[] = [];
  // In reverse: records come after those they may need.
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

/**
 * Identifies a record's values in the files, so that changes since the last load are found; their position in the file does not
 * matter.
 */
function checksumOf(record: DataRecord): string {
  const values = record.fields
    .filter((field) => !(record.model === 'sys.view' && (field.name === 'file' || field.name === 'line')))
    .map((field) => [field.name, field.value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([record.model, values]))
    .digest('hex');
}

/**
 * Groups the records of each file into as few groups of one model as their references allow: a referenced record in the same file
 * comes first, wherever it is written. Files keep their order.
 */
export function loadOrder(records: readonly DataRecord[]): readonly (readonly DataRecord[])[] {
  const files = [...groupBy(records, (record) => record.place.file).values()];
  const fileOf = new Map(files.flatMap((file, index) => file.map((record) => [record.id, index] as const)));
  return files.flatMap((file, index) => {
    for (const record of file) refuseLater(record, index, fileOf, records);
    return groupsOf(file);
  });
}

function groupsOf(file: readonly DataRecord[]): readonly (readonly DataRecord[])[] {
  const byId = new Map(file.map((record) => [record.id, record]));
  const levels = new Map<string, number>();
  for (const record of file) levelOf(record, byId, levels, []);
  const byLevel = groupBy(file, (record) => levels.get(record.id) as number);
  return [...byLevel.keys()]
    .sort((a, b) => a - b)
    .flatMap((level) => [...groupBy(byLevel.get(level) ?? [], (record) => record.model).values()]);
}

function levelOf(
  record: DataRecord,
  byId: ReadonlyMap<string, DataRecord>,
  levels: Map<string, number>,
  chain: readonly string[],
): number {
  const known = levels.get(record.id);
  if (known !== undefined) return known;
  if (chain.includes(record.id)) {
    throw new AddonError(record.place, `The records need each other: ${[...chain, record.id].join(' → ')}.`);
  }
  const below = refsOf(record)
    .map((ref) => byId.get(ref))
    .filter((target) => target !== undefined)
    .map((target) => levelOf(target, byId, levels, [...chain, record.id]));
  const level = 1 + Math.max(0, ...below);
  levels.set(record.id, level);
  return level;
}

function refuseLater(
  record: DataRecord,
  index: number,
  fileOf: ReadonlyMap<string, number>,
  records: readonly DataRecord[],
): void {
  const later = refsOf(record).find((ref) => (fileOf.get(ref) ?? -1) > index);
  if (later === undefined) return;
  const at = records.find((other) => other.id === later)?.place;
  const message = `"${later}" comes later, in ${at?.file}:${at?.line}; files load in the order security, data, views, demo and by name.`;
  throw new AddonError(record.place, message);
}
