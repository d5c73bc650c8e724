import { AddonError } from '../addon-error.ts';
import { type DataRecord, refsOf } from './data-record.ts';
import { groupBy } from './group-by.ts';

/**
 * The records of each file in as few groups of one model as their references allow: what a record refers to in the same
 * file comes before it, wherever it is written. Files keep their order.
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
