import type { RecordRef } from '@kontor/protocol';
import { bootstrap } from '../state/bootstrap.ts';
import { createStore } from '../state/store.ts';
import { onEvent, watchRecords } from './bus.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
}

/** Other people who have the record open that is on screen. */
export const othersHere = createStore<readonly Person[]>([]);

/** Says that this record is open here, and hears who else has it open. Returns how to leave. */
export function beAt(record: RecordRef): () => void {
  othersHere.set([]);
  const stop = onEvent('presence', ({ model, id, users }) => {
    if (model !== record.model || id !== record.id || !Array.isArray(users)) return;
    othersHere.set((users as Person[]).filter((person) => person.id !== bootstrap().user.id));
  });
  watchRecords([record]);
  return () => {
    stop();
    watchRecords([]);
    othersHere.set([]);
  };
}
