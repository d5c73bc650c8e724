import {
  type Entry,
  expireModel,
  offerUndo,
  patch,
  type RecordValues,
  remember,
  type Span,
  type SpanFields,
  searchRead,
  sendChange,
  showError,
  spanValues,
  t,
  toEntries,
  type WorkspacePayload,
  whileBusy,
  writeRecords,
} from '../../door/index.ts';
import type { LaneMove } from './lanes.ts';

/** One record must be done before another. */
export interface Link {
  readonly from: Entry;
  readonly to: Entry;
}

/** The dependencies between loaded entries. */
export function linksOf(entries: readonly Entry[], field: string | undefined): readonly Link[] {
  if (field === undefined) return [];
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return entries.flatMap((to) =>
    firstOnes(to, field).flatMap(({ id }) => {
      const from = byId.get(id);
      return from ? [{ from, to }] : [];
    }),
  );
}

/** The entries that this one depends on. */
export function firstOnes({ record }: Entry, field: string): readonly RecordValues[] {
  const value = record[field];
  return Array.isArray(value) ? (value as readonly RecordValues[]) : [];
}

export function isBroken({ from, to }: Link): boolean {
  return to.start < from.end;
}

interface LinkChange {
  readonly model: string;
  readonly field: string;
  readonly from: { readonly id: number; readonly title: string };
  readonly to: Entry;
}

/** Makes the second entry depend on the first. The server rejects cycles. */
export async function addLink({ model, field, from, to }: LinkChange): Promise<void> {
  const now = firstOnes(to, field);
  if (from.id === to.id || now.some(({ id }) => id === from.id)) return;
  const shown = { [field]: [...now, { id: from.id, display_name: from.title }] };
  const done = t('{name} waits for {first}', { name: to.title, first: from.title });
  await writeRecords({ model, ids: [to.id], values: { [field]: [['link', from.id]] }, shown, done }).catch(showError);
}

export async function removeLink({ model, field, from, to }: LinkChange): Promise<void> {
  const shown = { [field]: firstOnes(to, field).filter(({ id }) => id !== from.id) };
  const done = t('{name} no longer waits for {first}', { name: to.title, first: from.title });
  await writeRecords({ model, ids: [to.id], values: { [field]: [['unlink', from.id]] }, shown, done }).catch(showError);
}

const mostSteps = 50;

/** Ids in a relation of a record: the entries it depends on, or its people. */
export function idsIn(record: RecordValues, field: string): readonly number[] {
  const value = record[field];
  if (typeof value === 'number') return [value];
  if (!Array.isArray(value)) return [];
  return (value as readonly (number | RecordValues)[]).map((one) => (typeof one === 'number' ? one : one.id));
}

/** All entries that depend on this one, directly or indirectly, including those that are not on screen. */
export function loadFollowers(
  { model, arch }: WorkspacePayload,
  fields: SpanFields,
  field: string,
  first: number,
): Promise<readonly Entry[]> {
  const work = async () => {
    const found = new Map<number, RecordValues>();
    const people = arch.gantt?.people;
    const times = [fields.start.name, ...(fields.stop ? [fields.stop.name] : [])];
    const names = [...times, field, 'display_name', ...(people ? [people] : [])];
    let ids: readonly number[] = [first];
    for (let step = 0; ids.length > 0 && step < mostSteps; step++) {
      const rows = await searchRead(model, [[field, 'in', [...ids]]], names);
      const fresh = rows.filter(({ id }) => id !== first && !found.has(id));
      for (const row of fresh) found.set(row.id, row);
      ids = fresh.map(({ id }) => id);
    }
    return toEntries([...found.values()], fields, arch.gantt?.title ?? 'display_name');
  };
  return whileBusy(work());
}

export interface EntryMove {
  readonly entry: Entry;
  readonly span: Span;
  /** The group that it moves to, if any. */
  readonly into?: LaneMove | null;
}

/** Saves several moves in one transaction, with one Undo. */
export async function saveMoves(
  model: string,
  fields: SpanFields,
  moves: readonly EntryMove[],
  done: string,
): Promise<void> {
  const changes = moves.map(({ entry, span, into }) => {
    const values = { ...spanValues(fields, span, entry), ...into?.values };
    return { id: entry.id, values, shown: { ...values, ...into?.shown } };
  });
  const unpatches = changes.map(({ id, shown }) => patch(model, [id], shown));
  const made: number[] = [];
  try {
    for (const { id, values } of changes) {
      const { changeSet } = await sendChange({ model, method: 'write', args: [[id], values] });
      made.push(changeSet);
    }
    remember(
      model,
      changes.map(({ id, shown }) => ({ id, ...shown })),
    );
    offerUndo(done, model, ...made);
  } catch (error) {
    showError(error);
    for (const changeSet of made.filter((one) => one > 0).toReversed()) {
      await sendChange({ model: 'sys.change.set', method: 'call', args: [changeSet, 'action_revert'] }).catch(
        showError,
      );
    }
  } finally {
    for (const unpatch of unpatches) unpatch();
    expireModel(model);
  }
}
