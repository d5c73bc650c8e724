import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { busyTimer, Chip, Icon, Popover, searchRead, t, tn } from '../../../door/index.ts';
import type { Recipient } from './draft.ts';
import type { CommentBox } from './use-comment.ts';

const addressPattern = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** Who will receive a message, and its subject: seen and changed before it is sent. */
// Over 60 lines: chips, field and suggestions change the same list.
export function MailHead({ box }: { readonly box: CommentBox }) {
  const { unknown: typed, setUnknown: setTyped } = box;
  const [at, setAt] = useState(-1);
  const [isLeft, setLeft] = useState(false);
  const id = useId();
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
    const key = address.toLowerCase();
    const [named, ...more] = people.filter((one) => [one.name, one.address].some((each) => each.toLowerCase() === key));
    const chosen = people[at] ?? (more.length === 0 ? named : undefined);
    if (chosen) add(chosen);
    else if (addressPattern.test(address)) add({ name: '', address });
    else setLeft(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Backspace' && typed === '' && to.length > 0) box.setTo(to.slice(0, -1));
    else if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') addTyped();
    else if (step && people.length > 0) setAt((now) => Math.max(0, Math.min(people.length - 1, now + step)));
    else return;
    event.preventDefault();
  };
  const isUnknown = isLeft && typed.trim() !== '';
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
          role="combobox"
          aria-expanded={people.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={people[at] ? `${id}-${at}` : undefined}
          aria-invalid={isUnknown || undefined}
          aria-describedby={isUnknown ? `${id}-problem` : undefined}
          onChange={(event) => {
            setAt(-1);
            setLeft(false);
            setTyped(event.target.value);
          }}
          onBlur={() => typed.trim() !== '' && addTyped()}
          onKeyDown={onKeyDown}
        />
        {to.length > 0 && (
          <span className="small mut nowrap">
            {tn('{n} person outside receives this', '{n} people outside receive this', to.length)}
          </span>
        )}
      </div>
      {isUnknown && (
        <p id={`${id}-problem`} className="small bad pad-0-2" role="alert">
          {t('“{name}” was not found. Choose a contact from the list, or enter an e-mail address.', {
            name: typed.trim(),
          })}
        </p>
      )}
      {box.followers.length > 0 && (
        <p className="small mut pad-0-2">
          {t('Copies to followers: {names}', { names: box.followers.map(({ name }) => name).join(', ') })}
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
      {people.length > 0 && !isUnknown && (
        <ContactList {...{ id, people, at }} anchor={input} onPick={add} onClose={() => setLeft(true)} />
      )}
    </div>
  );
}

interface ContactListProps {
  readonly id: string;
  readonly at: number;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly people: readonly Recipient[];
  onPick(person: Recipient): void;
  onClose(): void;
}

function ContactList({ id, at, anchor, people, onPick, onClose }: ContactListProps) {
  return (
    <Popover anchor={anchor} mode="manual" onClose={onClose}>
      <div id={`${id}-list`} role="listbox" aria-label={t('Contacts')}>
        {people.map((person, index) => (
          <div
            key={person.address}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
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
