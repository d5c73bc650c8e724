import { useRef, useState } from 'react';
import { showError } from '../../../data/changes.ts';
import { type Mention, postComment, withMentions } from '../../../data/form/chatter.ts';
import { t } from '../../../i18n/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { Popover } from '../../../ui/popover.tsx';
import type { ChatterProps } from './chatter.tsx';
import { usePeople } from './use-people.ts';

interface ComposerProps extends ChatterProps {
  onPosted(): Promise<void>;
}

/** A comment, with people named by @. What is typed stays until it is sent. */
export function Composer({ model, recordId, onPosted }: ComposerProps) {
  const [text, setText] = useState('');
  const [mentions, setMentions] = useState<readonly Mention[]>([]);
  const [wanted, setWanted] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const [isSending, setSending] = useState(false);
  const input = useRef<HTMLTextAreaElement>(null);
  const people = usePeople(wanted);
  const isOpen = wanted !== null && people.length > 0;

  const write = (next: string, caret: number) => {
    setText(next);
    setAt(0);
    setWanted(/(?:^|\s)@([\p{L}\p{N}. -]{0,40})$/u.exec(next.slice(0, caret))?.[1] ?? null);
  };
  const pick = (person: Mention) => {
    const caret = input.current?.selectionStart ?? text.length;
    const head = text.slice(0, caret).replace(/@[^@]*$/, `@${person.name} `);
    setText(head + text.slice(caret));
    setMentions([...mentions.filter((one) => one.id !== person.id), person]);
    setWanted(null);
  };
  const send = async () => {
    if (text.trim() === '' || isSending) return;
    setSending(true);
    try {
      await postComment(model, recordId, withMentions(text.trim(), mentions));
      setText('');
      setMentions([]);
      await onPosted();
    } catch (error) {
      showError(error);
    } finally {
      setSending(false);
    }
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
      event.preventDefault();
      return void send();
    }
    if (!isOpen) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((now) => (now + step + people.length) % people.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && people[at]) pick(people[at]);
    else if (event.key === 'Escape') setWanted(null);
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="chatter-write"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        ref={input}
        aria-label={t('Comment')}
        placeholder={t('Write a comment, @ to mention')}
        rows={2}
        maxLength={10_000}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `chatter-person-${people[at]?.id}` : undefined}
        value={text}
        onChange={(event) => write(event.target.value, event.target.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setWanted(null)}
      />
      <Button kind="primary" type="submit" disabled={isSending || text.trim() === ''}>
        {t('Send')}
      </Button>
      {isOpen && (
        <Popover anchor={input} mode="manual" onClose={() => setWanted(null)}>
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
                  pick(person);
                }}
              >
                {person.name}
              </div>
            ))}
          </div>
        </Popover>
      )}
    </form>
  );
}
