import type { RecordRef } from '@kontor/protocol';
import { useEffect } from 'react';
import { beAt, othersHere } from '../../data/presence.ts';
import { t } from '../../i18n/messages.ts';
import { useStore } from '../../state/store.ts';
import { Avatar } from '../../ui/parts.tsx';

const mostShown = 3;

/** Who else has this record open, while they do. */
export function Presence({ model, id }: RecordRef) {
  const others = useStore(othersHere);
  useEffect(() => (id === 0 ? undefined : beAt({ model, id })), [model, id]);
  const names = others.map(({ name }) => name).join(', ');
  const label = t('Also open for {names}', { names });
  return (
    <div role="status" className={others.length > 0 ? 'form-others' : 'sr-only'} title={names ? label : undefined}>
      {others.length > 0 && <span className="sr-only">{label}</span>}
      {others.slice(0, mostShown).map(({ id: person, name }) => (
        <Avatar key={person} name={name} />
      ))}
      {others.length > mostShown && <span className="form-others-more">+{others.length - mostShown}</span>}
    </div>
  );
}
