import {
  Avatar,
  Badge,
  Button,
  bootstrap,
  Discussion,
  formatDateTime,
  Icon,
  IconButton,
  isCovered,
  isTyping,
  onEvent,
  parseDateTime,
  searchRead,
  t,
  usePhone,
  watchRecords,
} from '@kontor/client';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Change, type Conversation, isUnsorted, sendInboxChange, subjectOf } from './inbox-data.ts';
import { PickPanel } from './pick-panel.tsx';
import { UnsortedMail } from './unsorted-mail.tsx';
import { useFiling } from './use-filing.ts';
import type { Inbox } from './use-inbox.ts';

type Panel = 'assign' | 'snooze' | 'file';

interface PaneProps {
  readonly inbox: Inbox;
  readonly conversation: Conversation;
}

/** A conversation with what one does to it. */
// Over 60 lines: buttons, keys and panels open each other.
export function ConversationPane({ inbox, conversation }: PaneProps) {
  const pane = useRef<HTMLElement>(null);
  const anchors = { assign: useRef(null), snooze: useRef(null), file: useRef(null) };
  const [open, setOpen] = useState<Panel | null>(null);
  const isPhone = usePhone();
  const filing = useFiling(inbox, conversation);
  const { assignee, state } = conversation;
  const isOpen = state !== 'closed';
  const back: Change =
    state === 'snoozed' && conversation.snoozedUntil
      ? { do: 'snooze', until: conversation.snoozedUntil }
      : { do: isOpen ? 'open' : 'close' };
  const toggle = () =>
    void inbox.act({ do: isOpen ? 'close' : 'open' }, isOpen ? t('Conversation closed') : t('Conversation open'), back);
  const assign = (user: number | null, name: string) =>
    void inbox.act(
      { do: 'assign', user },
      user === null ? t('Assigned to nobody') : t('Assigned to {name}', { name }),
      { do: 'assign', user: assignee?.id ?? null },
    );
  const snooze = (until: string) => void inbox.act({ do: 'snooze', until }, t('Snoozed'), back);
  const unread = () => void inbox.act({ do: 'unread' }, t('Marked as unread'), { do: 'read' });
  useSeen(inbox, conversation);
  const others = useOthers(conversation);
  const writing = useWriting(conversation.id);
  useInboxKeys({
    j: () => inbox.step(1),
    k: () => inbox.step(-1),
    o: () => pane.current?.focus(),
    e: toggle,
    h: () => setOpen('snooze'),
    a: () => setOpen('assign'),
    u: unread,
    z: inbox.undo,
    r: () => pane.current?.querySelector('textarea')?.focus(),
    ...(isUnsorted(conversation) ? { f: () => setOpen('file') } : {}),
  });
  const pick = (name: Panel) => ({
    ref: anchors[name] as RefObject<HTMLButtonElement | null>,
    onClick: () => setOpen(name),
  });
  return (
    <section
      ref={pane}
      tabIndex={-1}
      className="column shrink least-0 canvas inbox-pane"
      aria-label={subjectOf(conversation)}
    >
      <div className="row wrap lined rigid pad-2-3">
        {isPhone && <IconButton icon="arrow-left" label={t('Back to the list')} onClick={() => inbox.show(null)} />}
        <Button {...pick('assign')} icon="circle-user" aria-keyshortcuts="A">
          {assignee ? assignee.name : t('Assign')}
        </Button>
        <Button {...pick('snooze')} icon="clock" aria-keyshortcuts="H">
          {state === 'snoozed' && conversation.snoozedUntil ? formatDateTime(conversation.snoozedUntil) : t('Snooze')}
        </Button>
        <Button onClick={toggle} icon={isOpen ? 'check' : 'rotate-ccw'} aria-keyshortcuts="E">
          {isOpen ? t('Close') : t('Open again')}
        </Button>
        {isUnsorted(conversation) && (
          <Button kind="primary" {...pick('file')} icon="archive" aria-keyshortcuts="F">
            {t('File')}
          </Button>
        )}
        <span className="row push gap-half wide-only">
          <IconButton icon="arrow-up" label={t('Previous conversation')} onClick={() => inbox.step(-1)} />
          <IconButton icon="arrow-down" label={t('Next conversation')} onClick={() => inbox.step(1)} />
        </span>
      </div>
      <Head conversation={conversation} others={others} />
      {isUnsorted(conversation) ? (
        <UnsortedMail id={conversation.recordId} />
      ) : (
        <Discussion model={conversation.model} recordId={conversation.recordId} onWriting={writing} />
      )}
      {open === 'assign' && (
        <PickPanel
          anchor={anchors.assign}
          label={t('Assign to')}
          placeholder={t('Name')}
          optionsFor={(text) => peopleFor(text, assign)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'snooze' && (
        <PickPanel
          anchor={anchors.snooze}
          label={t('Snooze until')}
          placeholder={t('Such as tomorrow 9:00')}
          optionsFor={async (text) => snoozesFor(text, snooze)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'file' && (
        <PickPanel
          anchor={anchors.file}
          label={t('File on')}
          placeholder={t('Record')}
          optionsFor={filing}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}

function Head({ conversation, others }: { readonly conversation: Conversation; readonly others: readonly string[] }) {
  const { model, recordId, recordName, modelLabel, mark, answering } = conversation;
  const names = others.join(', ');
  return (
    <header className="stack gap-1 lined rigid pad-3-4">
      <h2 className="large strong break">
        <bdi>{subjectOf(conversation)}</bdi>
      </h2>
      <p className="row wrap gap-1h small">
        {!isUnsorted(conversation) && (
          <a
            className="row gap-1 framed round-s target ink inbox-record"
            href={`/web?${new URLSearchParams({ model, view_type: 'form', id: String(recordId) })}`}
          >
            <Icon name="file-text" size={13} /> {recordName || modelLabel}
          </a>
        )}
        {mark !== 'message' && (
          <Badge look={mark === 'bounce' ? 'bad' : 'mute'}>
            {mark === 'bounce' ? t('Not delivered') : t('Automatic reply')}
          </Badge>
        )}
        {answering && <span className="ok">{t('{name} is replying', { name: answering })}</span>}
        {others.length > 0 && (
          <span className="row gap-half push" role="status" title={t('Also viewed by {names}', { names })}>
            {others.slice(0, 3).map((name) => (
              <Avatar key={name} name={name} size="s" />
            ))}
            <span className="sr-only">{t('Also viewed by {names}', { names })}</span>
          </span>
        )}
      </p>
    </header>
  );
}

async function peopleFor(text: string, assign: (user: number | null, name: string) => void) {
  const { id: me } = bootstrap().user;
  const people = await searchRead(
    'core.user',
    [
      ['active', '=', true],
      ['name', 'ilike', text],
    ],
    ['name'],
    { limit: 8 },
  );
  const named = people.map(({ id, name }) => ({ id, name: String(name) }));
  const sorted = [...named.filter(({ id }) => id === me), ...named.filter(({ id }) => id !== me)];
  return [
    ...sorted.map(({ id, name }) => ({
      ...{ key: String(id), label: name, icon: 'user', run: () => assign(id, name) },
      ...(id === me ? { hint: t('you') } : {}),
    })),
    ...(text === '' ? [{ key: 'none', label: t('Nobody'), icon: 'x', run: () => assign(null, '') }] : []),
  ];
}

function snoozesFor(text: string, snooze: (until: string) => void) {
  const words: readonly (readonly [string, string])[] = [
    ['later', t('In three hours')],
    ['tomorrow', t('Tomorrow at 8:00')],
    ['monday', t('On Monday at 8:00')],
    ['month', t('In four weeks')],
  ];
  if (text === '') return words.map(([key, label]) => ({ key, label, icon: 'clock', run: () => snooze(key) }));
  const instant = parseDateTime(text);
  return instant ? [{ key: 'typed', label: formatDateTime(instant), icon: 'clock', run: () => snooze(instant) }] : [];
}

/** What is shown is read. */
function useSeen(inbox: Inbox, { id, isUnread }: Conversation): void {
  const seen = useRef('');
  const { reload } = inbox;
  const newest = inbox.current?.at ?? '';
  useEffect(() => {
    // Marked as unread by hand, it stays so until another message comes.
    if (!isUnread || seen.current === newest) return;
    seen.current = newest;
    void sendInboxChange(id, { do: 'read' }).then(reload, () => {});
  }, [id, isUnread, newest, reload]);
}

/** Others who have the record open. */
function useOthers({ model, recordId: id }: Conversation): readonly string[] {
  const [others, setOthers] = useState<readonly string[]>([]);
  useEffect(() => {
    const stop = onEvent('presence', (payload) => {
      if (payload.model !== model || payload.id !== id || !Array.isArray(payload.users)) return;
      const users = payload.users as readonly { readonly id: number; readonly name: string }[];
      setOthers(users.filter((user) => user.id !== bootstrap().user.id).map(({ name }) => name));
    });
    watchRecords([{ model, id }]);
    return () => {
      stop();
      watchRecords([]);
    };
  }, [model, id]);
  return others;
}

const toldEveryMs = 20_000;

/** Tells others that an answer is being written. */
function useWriting(id: number): (isWriting: boolean) => void {
  const told = useRef(0);
  return (isWriting) => {
    if (isWriting && Date.now() - told.current < toldEveryMs) return;
    if (!isWriting && told.current === 0) return;
    told.current = isWriting ? Date.now() : 0;
    void sendInboxChange(id, { do: 'answering', on: isWriting }).catch(() => {});
  };
}

function useInboxKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || isTyping(event)) return;
      if (event.defaultPrevented || isCovered()) return;
      const run = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!run) return;
      event.preventDefault();
      run();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
}
