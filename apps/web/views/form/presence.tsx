import { useEffect } from 'react';
import {
  Avatar,
  bootstrap,
  createStore,
  onEvent,
  type RecordRef,
  t,
  useStore,
  watchRecords,
} from '../../door/index.ts';

const maxShown = 3;

/** Shows who else has this record open. */
export function Presence({ model, id }: RecordRef) {
  const others = useStore(otherPeople);
  useEffect(() => (id === 0 ? undefined : watchPresence({ model, id })), [model, id]);
  const names = others.map(({ name }) => name).join(', ');
  const label = t('Also viewed by {names}', { names });
  return (
    <div
      role="status"
      className={others.length > 0 ? 'row gap-0 form-others' : 'sr-only'}
      title={names ? label : undefined}
    >
      {others.length > 0 && <span className="sr-only">{label}</span>}
      {others.slice(0, maxShown).map(({ id: person, name }) => (
        <Avatar key={person} name={name} />
      ))}
      {others.length > maxShown && <span className="small mut before-1">+{others.length - maxShown}</span>}
    </div>
  );
}

export interface Person {
  readonly id: number;
  readonly name: string;
}

/** Other users who have the current record open. */
const otherPeople = createStore<readonly Person[]>([]);

/** Announces that this record is open here, and listens for others. Returns a function that leaves. */
function watchPresence(record: RecordRef): () => void {
  otherPeople.set([]);
  const stop = onEvent('presence', ({ model, id, users }) => {
    if (model !== record.model || id !== record.id || !Array.isArray(users)) return;
    otherPeople.set((users as Person[]).filter((person) => person.id !== bootstrap().user.id));
  });
  watchRecords([record]);
  return () => {
    stop();
    watchRecords([]);
    otherPeople.set([]);
  };
}
