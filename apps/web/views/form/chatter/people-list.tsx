import type { RefObject } from 'react';
import type { Mention } from '../../../data/form/chatter.ts';
import { t } from '../../../i18n/messages.ts';
import { Avatar } from '../../../ui/parts.tsx';
import { Popover } from '../../../ui/popover.tsx';

interface PeopleListProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly people: readonly Mention[];
  readonly at: number;
  onPick(person: Mention): void;
  onClose(): void;
}

/** Who may be meant; the focus stays in the text. */
export function PeopleList({ anchor, people, at, onPick, onClose }: PeopleListProps) {
  return (
    <Popover anchor={anchor} mode="manual" onClose={onClose}>
      <div id="chatter-people" role="listbox" aria-label={t('People')}>
        {people.map((person, index) => (
          <div
            key={person.id}
            id={`chatter-person-${person.id}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className="menu-item"
            onPointerDown={(event) => {
              event.preventDefault();
              onPick(person);
            }}
          >
            <Avatar name={person.name} size="s" />
            {person.name}
          </div>
        ))}
      </div>
    </Popover>
  );
}
