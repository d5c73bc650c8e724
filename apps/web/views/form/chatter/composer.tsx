import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import {
  Avatar,
  Button,
  busyTimer,
  type ChatterProps,
  Chip,
  type DiscussionProps,
  hasFeature,
  Icon,
  IconButton,
  type Mention,
  NoMail,
  Popover,
  searchRead,
  t,
} from '../../../door/index.ts';
import type { ComposerMode } from './draft.ts';
import { InsertTemplate } from './insert-template.tsx';
import { MailHead } from './mail-head.tsx';
import { SendLater } from './send-later.tsx';
import { type CommentBox, useComment } from './use-comment.ts';

/** Writes an internal note with @mentions, or a message to people outside. The text is kept until it is sent. */
// Over 60 lines: the text area and its suggestions share key handling.
export function Composer({ onWriting, usualMode = 'note', ...props }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const box = useComment(props, input, usualMode);
  const isNote = box.mode === 'note';
  const [at, setAt] = useState(0);
  const people = usePeople(box.wanted);
  const isOpen = box.wanted !== null && people.length > 0;
  const onKeyDown = (event: KeyboardEvent) => {
    const key = event.key.toLowerCase();
    const isCommand = event.ctrlKey || event.metaKey;
    const step = { arrowdown: 1, arrowup: -1 }[key];
    if (isCommand && key === 'enter') box.send();
    else if (isCommand && key === 'b') box.mark('bold');
    else if (isCommand && key === 'i') box.mark('italic');
    else if (!isOpen) return;
    else if (step) setAt((now) => (now + step + people.length) % people.length);
    else if ((key === 'enter' || key === 'tab') && people[at]) box.pick(people[at]);
    else if (key === 'escape') box.stopMention();
    else return;
    event.preventDefault();
  };
  const files = (given: FileList | null) => void (given && given.length > 0 && box.attach(given));
  return (
    <form
      className={`column rigid round-m outlined rings chatter-write ${isNote ? 'warned chatter-note' : 'surface chatter-out'}`}
      onSubmit={(event) => {
        event.preventDefault();
        box.send();
      }}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        files(event.dataTransfer.files);
      }}
    >
      <Modes box={box} />
      {!isNote && <NoMail />}
      {!isNote && <MailHead box={box} />}
      <textarea
        className="shrink no-border bare"
        ref={input}
        aria-label={isNote ? t('Comment') : t('Message')}
        placeholder={isNote ? t('Write a comment, @ to mention') : t('Write a message to people outside')}
        rows={2}
        maxLength={10_000}
        aria-autocomplete="list"
        aria-controls={isOpen ? 'chatter-people' : undefined}
        aria-activedescendant={isOpen ? `chatter-person-${people[at]?.id}` : undefined}
        aria-keyshortcuts="Control+Enter"
        value={box.text}
        onChange={(event) => {
          setAt(0);
          onWriting?.(event.target.value !== '');
          box.write(event.target.value, event.target.selectionStart);
        }}
        onPaste={(event) => {
          if (event.clipboardData.files.length === 0) return;
          event.preventDefault();
          files(event.clipboardData.files);
        }}
        onKeyDown={onKeyDown}
        onBlur={box.stopMention}
      />
      <AttachedFiles box={box} />
      <Tools box={box} model={props.model} recordId={props.recordId} onFiles={files} />
      {isOpen && <PeopleList anchor={input} people={people} at={at} onPick={box.pick} onClose={box.stopMention} />}
    </form>
  );
}

interface ComposerProps extends DiscussionProps {
  /** What is written here unless somebody chooses. */
  readonly usualMode?: ComposerMode;
}

/** Told apart by word, icon and colour: a note stays inside, a message leaves. */
function Modes({ box }: { readonly box: CommentBox }) {
  const modes = [
    { mode: 'note', icon: 'lock', label: t('Internal note') },
    { mode: 'message', icon: 'mail', label: t('Message') },
  ] as const;
  return (
    <div className="line gap-1 pad-x-2 chatter-modes" role="group" aria-label={t('Who reads it')}>
      {modes.map(({ mode, icon, label }) => (
        <button
          key={mode}
          type="button"
          className="row gap-1 small mut target pad-x-2 tab-line chatter-mode"
          aria-pressed={box.mode === mode}
          onClick={() => box.setMode(mode)}
        >
          <Icon name={icon} size={14} /> {label}
        </button>
      ))}
    </div>
  );
}

function AttachedFiles({ box }: { readonly box: CommentBox }) {
  const { missing } = box;
  if (box.files.length === 0 && missing.length === 0) return null;
  return (
    <div className="line wrap gap-1 pad-t-1 pad-x-2h">
      {missing.length > 0 && (
        <span className="row gap-half small warn" role="status">
          {t('Attach again: {names}', { names: missing.join(', ') })}
          <IconButton icon="x" label={t('Leave these files out')} onClick={box.forgetMissing} />
        </span>
      )}
      {box.files.map(({ name }, at) => (
        <Chip key={name} removeLabel={t('Remove {name}', { name })} onRemove={() => box.detach(at)}>
          {name}
        </Chip>
      ))}
    </div>
  );
}

interface ToolsProps extends ChatterProps {
  readonly box: CommentBox;
  onFiles(files: FileList | null): void;
}

function Tools({ box, model, recordId, onFiles }: ToolsProps) {
  const chooser = useRef<HTMLInputElement>(null);
  const isEmpty = box.text.trim() === '' && box.files.length === 0;
  const hasReceivers =
    box.mode === 'note' ||
    (hasFeature('mail') && (box.to?.length ?? 0) > 0 && `${box.unknown.to}${box.unknown.cc}`.trim() === '');
  const canSend = !isEmpty && !box.isSending && hasReceivers;
  return (
    <div className="row gap-half pad-1h">
      <IconButton className="dim" icon="paperclip" label={t('Attach files')} onClick={() => chooser.current?.click()} />
      <FormatButton face={<b>B</b>} label={t('Bold')} keys="Control+B" onClick={() => box.mark('bold')} />
      <FormatButton face={<i>I</i>} label={t('Italic')} keys="Control+I" onClick={() => box.mark('italic')} />
      <IconButton className="dim" icon="list" label={t('List')} onClick={() => box.mark('list')} />
      {box.mode === 'message' && <InsertTemplate model={model} recordId={recordId} onInsert={box.insert} />}
      {box.mode === 'message' && <SignatureToggle box={box} />}
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label={t('Attach files')}
        onChange={(event) => {
          onFiles(event.target.files);
          event.target.value = '';
        }}
      />
      <span className="row push gap-half">
        {box.mode === 'message' && <SendLater label={t('Send later')} isDisabled={!canSend} onChoose={box.send} />}
        <Button kind="primary" type="submit" disabled={!canSend}>
          {t('Send')}
        </Button>
      </span>
    </div>
  );
}

/** Off for this message; without a signature in the profile nothing is added anyway. */
function SignatureToggle({ box }: { readonly box: CommentBox }) {
  return (
    <button
      type="button"
      className="small mut target pad-x-2 tab-line chatter-mode"
      aria-pressed={box.isSigned}
      title={t('Your signature goes below the message')}
      onClick={() => box.setSigned(!box.isSigned)}
    >
      {t('Signature')}
    </button>
  );
}

interface FormatButtonProps {
  readonly face: ReactNode;
  readonly label: string;
  readonly keys: string;
  onClick(): void;
}

function FormatButton({ face, label, keys, onClick }: FormatButtonProps) {
  return (
    <button
      type="button"
      className="icon-btn dim chatter-letter"
      aria-label={label}
      title={label}
      aria-keyshortcuts={keys}
      onClick={onClick}
    >
      {face}
    </button>
  );
}

interface PeopleListProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly people: readonly Mention[];
  readonly at: number;
  onPick(person: Mention): void;
  onClose(): void;
}

/** Mention suggestions; the focus stays in the text. */
function PeopleList({ anchor, people, at, onPick, onClose }: PeopleListProps) {
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

const none: readonly Mention[] = [];

/** Users whose name contains the text after the @. */
function usePeople(typed: string | null): readonly Mention[] {
  const [people, setPeople] = useState(none);
  useEffect(() => {
    if (typed === null) return setPeople(none);
    const controller = new AbortController();
    const cancel = busyTimer(() => {
      const domain = [['active', '=', true] as const, ['name', 'ilike', typed] as const];
      searchRead('core.user', domain, ['name'], { limit: 6 }, { signal: controller.signal }).then(
        (found) => setPeople(found.map((one) => ({ id: one.id, name: String(one.name) }))),
        () => {},
      );
    }, 120);
    return () => {
      cancel();
      controller.abort();
    };
  }, [typed]);
  return people;
}
