import { type RefObject, useEffect, useRef, useState } from 'react';
import { busyTimer, Chip, Icon, Popover, searchRead, t, tn } from '../../../door/index.ts';
import type { Recipient } from './draft.ts';
import type { CommentBox } from './use-comment.ts';

const addressPattern = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** Who will receive a message, and its subject: seen and changed before it is sent. */
// Over 60 lines: chips, field and suggestions change the same list.
export function MailHead({ box }: { readonly box: CommentBox }) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const people = useContacts(typed);
  const to = box.to ?? [];
  const add = (recipient: Recipient) => {
    if (!to.some(({ address }) => address.toLowerCase() === recipient.address.toLowerCase()))
      box.setTo([...to, recipient]);
    setTyped('');
  };
  const addTyped = () => {
    const address = typed.trim().replace(/[,;]$/, '');
    if (addressPattern.test(address)) add({ name: '', address });
    else if (people[0]) add(people[0]);
    else return false;
    return true;
  };
  return (
    <div className="stack gap-0 lined">
      <div className="row wrap gap-1 pad-0-2">
        <span className="small mut">{t('To')}</span>
        {to.map(({ name, address, isFailing }) => (
          <Chip
            key={address}
            removeLabel={t('Remove {name}', { name: name || address })}
            onRemove={() => box.setTo(to.filter((each) => each.address !== address))}
          >
            <span title={isFailing ? t('An e-mail to this address came back.') : address}>
              {isFailing && <Icon name="triangle-alert" size={12} />} {name || address}
            </span>
          </Chip>
        ))}
        <input
          ref={input}
          className="grow no-border bare target chatter-to"
          aria-label={t('Add a recipient')}
          placeholder={to.length === 0 ? t('Name or e-mail address') : ''}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => addressPattern.test(typed.trim()) && addTyped()}
          onKeyDown={(event) => {
            const isLast = event.key === 'Backspace' && typed === '' && to.length > 0;
            if (isLast) box.setTo(to.slice(0, -1));
            else if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') addTyped();
            else return;
            event.preventDefault();
          }}
        />
        {to.length > 0 && (
          <span className="small mut nowrap">
            {tn('{n} person outside receives this', '{n} people outside receive this', to.length)}
          </span>
        )}
      </div>
      {box.followers.length > 0 && (
        <p className="small mut pad-0-2">
          {t('Copies to followers: {names}', { names: box.followers.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {box.colleagues.length > 0 && (
        <p className="small mut pad-0-2">
          {t('Colleagues who follow read it here: {names}', { names: box.colleagues.join(', ') })}
        </p>
      )}
      <input
        className="no-border bare target full pad-0-2"
        aria-label={t('Subject')}
        placeholder={t('Subject')}
        maxLength={200}
        value={box.subject}
        onChange={(event) => box.setSubject(event.target.value)}
      />
      {people.length > 0 && <ContactList anchor={input} people={people} onPick={add} onClose={() => setTyped('')} />}
    </div>
  );
}

interface ContactListProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly people: readonly Recipient[];
  onPick(person: Recipient): void;
  onClose(): void;
}

function ContactList({ anchor, people, onPick, onClose }: ContactListProps) {
  return (
    <Popover anchor={anchor} mode="manual" onClose={onClose}>
      <div role="listbox" aria-label={t('Contacts')}>
        {people.map((person) => (
          <div
            key={person.address}
            role="option"
            tabIndex={-1}
            aria-selected={false}
            className="menu-item"
            onPointerDown={(event) => {
              event.preventDefault();
              onPick(person);
            }}
          >
            <span className="cut">{person.name}</span>
            <span className="small dim cut">{person.address}</span>
          </div>
        ))}
      </div>
    </Popover>
  );
}

const none: readonly Recipient[] = [];

/** Contacts with an e-mail address, by name or address. */
function useContacts(typed: string): readonly Recipient[] {
  const [people, setPeople] = useState(none);
  const text = typed.trim();
  useEffect(() => {
    if (text.length < 2) return setPeople(none);
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      const domain = [
        ['email', '!=', null] as const,
        '|' as const,
        ['name', 'ilike', text] as const,
        ['email', 'ilike', text] as const,
      ];
      searchRead('core.partner', domain, ['name', 'email'], { limit: 6 }, { signal: controller.signal }).then(
        (found) => setPeople(found.map(({ name, email }) => ({ name: String(name), address: String(email) }))),
        () => {},
      );
    }, 150);
    return () => {
      cancel();
      controller.abort();
    };
  }, [text]);
  return people;
}
