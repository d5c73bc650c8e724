import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { Button, busyTimer, Chip, Icon, Popover, searchRead, t, tn } from '../../../door/index.ts';
import type { Recipient } from './draft.ts';
import type { CommentBox } from './use-comment.ts';

const addressPattern = /^[^\s@<>,;]+@[^\s@<>,;]+\.[^\s@<>,;]+$/;

/** Who will receive a message, and its subject: seen and changed before it is sent. */
export function MailHead({ box }: { readonly box: CommentBox }) {
  const [hasCc, setHasCc] = useState(false);
  const to = box.to ?? [];
  const count = to.length + box.cc.length;
  return (
    <div className="stack gap-0 lined">
      <People
        label={t('To')}
        addLabel={t('Add a recipient')}
        people={to}
        typed={box.unknown.to}
        onType={(typed) => box.setUnknown({ to: typed })}
        onChange={box.setTo}
      >
        {!hasCc && box.cc.length === 0 && (
          <button
            type="button"
            className="small mut target pad-x-2 tab-line chatter-mode"
            onClick={() => setHasCc(true)}
          >
            {t('Cc')}
          </button>
        )}
        {count > 0 && (
          <span className="small mut nowrap">
            {tn('{n} person outside receives this', '{n} people outside receive this', count)}
          </span>
        )}
      </People>
      {(hasCc || box.cc.length > 0) && (
        <People
          label={t('Cc')}
          addLabel={t('Add a copy')}
          people={box.cc}
          typed={box.unknown.cc}
          onType={(typed) => box.setUnknown({ cc: typed })}
          onChange={box.setCc}
        />
      )}
      <OtherReaders box={box} />
      <input
        className="no-border bare target full pad-0 pad-x-2"
        aria-label={t('Subject')}
        placeholder={t('Subject')}
        maxLength={200}
        value={box.subject}
        onChange={(event) => box.setSubject(event.target.value)}
      />
    </div>
  );
}

/** Who had the e-mail as well, and who hears of the message without being a recipient. */
function OtherReaders({ box }: { readonly box: CommentBox }) {
  return (
    <>
      {box.others.length > 0 && (
        <p className="row wrap gap-1 small mut pad-x-2">
          <span>{t('Also had the e-mail: {names}', { names: namesOf(box.others) })}</span>
          <Button kind="bare" onClick={() => box.setCc([...box.cc, ...box.others])}>
            {t('Reply to all')}
          </Button>
        </p>
      )}
      {box.followers.length > 0 && (
        <p className="small mut pad-x-2">
          {t('Copies to followers: {names}', { names: box.followers.map(({ name }) => name).join(', ') })}
        </p>
      )}
      {box.colleagues.length > 0 && (
        <p className="small mut pad-x-2">
          {t('Colleagues who follow read it here: {names}', { names: box.colleagues.join(', ') })}
        </p>
      )}
    </>
  );
}

const namesOf = (people: readonly Recipient[]) => people.map(({ name, address }) => name || address).join(', ');

interface PeopleProps {
  readonly label: string;
  readonly addLabel: string;
  readonly people: readonly Recipient[];
  /** What is in the field and is no recipient yet. */
  readonly typed: string;
  readonly children?: ReactNode;
  onChange(people: readonly Recipient[]): void;
  onType(typed: string): void;
}

/** Recipients as chips, with a field that adds contacts and addresses. */
// Over 60 lines: chips, field and suggestions change the same list.
function People({ label, addLabel, people, typed, children, onChange, onType }: PeopleProps) {
  const [at, setAt] = useState(-1);
  const [isLeft, setLeft] = useState(false);
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const contacts = useContacts(typed);
  const add = (recipient: Recipient) => {
    if (!people.some(({ address }) => address.toLowerCase() === recipient.address.toLowerCase()))
      onChange([...people, recipient]);
    onType('');
  };
  const addTyped = () => {
    const address = typed.trim().replace(/[,;]$/, '');
    const key = address.toLowerCase();
    const [named, ...more] = contacts.filter((one) =>
      [one.name, one.address].some((each) => each.toLowerCase() === key),
    );
    const chosen = contacts[at] ?? (more.length === 0 ? named : undefined);
    if (chosen) add(chosen);
    else if (addressPattern.test(address)) add({ name: '', address });
    else setLeft(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Backspace' && typed === '' && people.length > 0) onChange(people.slice(0, -1));
    else if ((event.key === 'Enter' || event.key === ',') && typed.trim() !== '') addTyped();
    else if (step && contacts.length > 0) setAt((now) => Math.max(0, Math.min(contacts.length - 1, now + step)));
    else return;
    event.preventDefault();
  };
  const isUnknown = isLeft && typed.trim() !== '';
  return (
    <>
      <div className="row wrap gap-1 pad-x-2">
        <span className="small mut">{label}</span>
        {people.map(({ name, address, isFailing }) => (
          <Chip
            key={address}
            removeLabel={t('Remove {name}', { name: name || address })}
            onRemove={() => onChange(people.filter((each) => each.address !== address))}
          >
            <span title={isFailing ? t('An e-mail to this address came back.') : address}>
              {isFailing && <Icon name="triangle-alert" size={12} />} {name || address}
            </span>
          </Chip>
        ))}
        <input
          ref={input}
          className="grow no-border bare target least-wide-120"
          aria-label={addLabel}
          placeholder={people.length === 0 ? t('Name or e-mail address') : ''}
          value={typed}
          role="combobox"
          aria-expanded={contacts.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={contacts[at] ? `${id}-${at}` : undefined}
          aria-invalid={isUnknown || undefined}
          aria-describedby={isUnknown ? `${id}-problem` : undefined}
          onChange={(event) => {
            setAt(-1);
            setLeft(false);
            onType(event.target.value);
          }}
          onBlur={() => typed.trim() !== '' && addTyped()}
          onKeyDown={onKeyDown}
        />
        {children}
      </div>
      {isUnknown && (
        <p id={`${id}-problem`} className="small bad pad-x-2" role="alert">
          {t('“{name}” was not found. Choose a contact from the list, or enter an e-mail address.', {
            name: typed.trim(),
          })}
        </p>
      )}
      {contacts.length > 0 && !isUnknown && (
        <ContactList {...{ id, people: contacts, at }} anchor={input} onPick={add} onClose={() => setLeft(true)} />
      )}
    </>
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
