import {
  bootstrap,
  defineView,
  EmptyState,
  Icon,
  isCovered,
  isTyping,
  Menu,
  mark,
  Skeleton,
  t,
  usePhone,
  type ViewProps,
} from '@kontor/client';
import { useEffect, useRef } from 'react';
import { ConversationPane } from './conversation-pane.tsx';
import { ConversationRow, dayOf } from './conversation-row.tsx';
import type { Folder, InboxPage } from './inbox-data.ts';
import { ScheduledMessages } from './scheduled.tsx';
import { type Inbox, useInbox } from './use-inbox.ts';
import './inbox.css';

/** Conversations of the mailboxes: beside the menu a list and the conversation; on a phone one of both. */
export const inboxView = defineView({
  type: 'inbox',
  View: InboxView,
  keys: [
    { keys: ['J', 'K'], does: mark('Next and previous conversation') },
    { keys: ['O'], does: mark('Go to the conversation') },
    { keys: ['R'], does: mark('Reply') },
    { keys: ['E'], does: mark('Close the conversation, or open it again') },
    { keys: ['H'], does: mark('Snooze') },
    { keys: ['A'], does: mark('Assign') },
    { keys: ['F'], does: mark('File an unsorted e-mail; a digit chooses the record') },
    { keys: ['U'], does: mark('Mark as unread') },
    { keys: ['Z'], does: mark('Undo') },
  ],
});

function InboxView({ workspace }: ViewProps) {
  const inbox = useInbox();
  const isPhone = usePhone();
  const { current } = inbox;
  useEffect(() => {
    const first = inbox.page?.conversations[0];
    if (!isPhone && !current && first) inbox.show(first.id);
  });
  const mailboxes = workspace.records.map(({ id, name, last_error: problem }) => ({
    ...{ id, name: String(name ?? ''), problem: String(problem ?? '') },
  }));
  return (
    <div className="panes inbox fill">
      <h1 className="sr-only">{t('Inbox')}</h1>
      {!(isPhone && current) && <ListPane inbox={inbox} mailboxes={mailboxes} />}
      {current ? (
        <ConversationPane key={current.id} inbox={inbox} conversation={current} />
      ) : (
        !isPhone && (
          <div className="shrink least-0 canvas inbox-pane">
            <EmptyState icon="inbox" title={t('No conversation is open')} />
          </div>
        )
      )}
    </div>
  );
}

interface ShownMailbox {
  readonly id: number;
  readonly name: string;
  readonly problem: string;
}

function ListPane({ inbox, mailboxes }: { readonly inbox: Inbox; readonly mailboxes: readonly ShownMailbox[] }) {
  const { page, question, current } = inbox;
  const problems = mailboxes.filter(({ problem }) => problem !== '');
  return (
    <section className="column least-0 ruled-end inbox-list" aria-label={t('Conversations')}>
      <div className="row lined pad-2-3 rigid">
        {mailboxes.length > 1 && <MailboxPick inbox={inbox} mailboxes={mailboxes} />}
        <SearchField inbox={inbox} />
      </div>
      {question.text === '' && page && <Folders inbox={inbox} counts={page.counts} />}
      {question.text === '' && <ScheduledMessages />}
      {problems.map(({ id, name, problem }) => (
        <p key={id} className="row small warned pad-2-3" role="status">
          <Icon name="triangle-alert" size={14} />
          <span>
            <b className="semi">{name}</b>: {problem}
          </span>
        </p>
      ))}
      {page === null && (
        <div className="pad-4">
          <Skeleton width="70%" />
        </div>
      )}
      {page?.conversations.length === 0 &&
        (mailboxes.length === 0 && Object.values(page.counts).every((count) => count === 0) ? (
          <NoMailbox />
        ) : (
          <Nothing folder={question.folder} isSearch={question.text !== ''} />
        ))}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <ol className="fill scroll-y" tabIndex={0} aria-label={t('Conversations')}>
        {page?.conversations.map((conversation, at) => {
          const day = dayOf(conversation.at);
          const isNewDay = day !== dayOf(page.conversations[at - 1]?.at ?? '');
          return (
            <li key={conversation.id}>
              {isNewDay && <h2 className="small mut sunken lined inbox-day">{day}</h2>}
              <ConversationRow
                conversation={conversation}
                isCurrent={conversation.id === current?.id}
                onOpen={() => inbox.show(conversation.id)}
              />
            </li>
          );
        })}
        {page?.more && (
          <li className="pad-3">
            <button type="button" className="btn" onClick={() => inbox.ask({ limit: question.limit + 100 })}>
              {t('Show more')}
            </button>
          </li>
        )}
      </ol>
    </section>
  );
}

function NoMailbox() {
  const { isAdmin } = bootstrap().user;
  return (
    <EmptyState
      icon="inbox"
      title={t('You have no mailbox yet')}
      next={
        isAdmin && (
          <a className="btn btn-primary" href="/web?action=mail.mailboxes&view_type=form">
            {t('Add a mailbox')}
          </a>
        )
      }
    >
      <p>
        {isAdmin
          ? t('E-mails to its address then appear here, and on the records that they answer.')
          : t('Ask an administrator to add you to one.')}
      </p>
    </EmptyState>
  );
}

function Nothing({ folder, isSearch }: { readonly folder: Folder; readonly isSearch: boolean }) {
  if (isSearch) return <EmptyState icon="search" title={t('No e-mail has this text')} />;
  return (
    <EmptyState icon="circle-check" title={folder === 'open' ? t('Everything is answered') : t('Nothing here')}>
      <p>{t('New e-mails appear here by themselves.')}</p>
    </EmptyState>
  );
}

function Folders({ inbox, counts }: { readonly inbox: Inbox; readonly counts: InboxPage['counts'] }) {
  const folders: readonly (readonly [Folder, string])[] = [
    ['open', t('Open')],
    ['mine', t('Mine')],
    ['unassigned', t('Unassigned')],
    ['snoozed', t('Snoozed')],
    ['unsorted', t('Unsorted')],
    ['closed', t('Closed')],
  ];
  return (
    <nav className="line rigid lined scroll wrap gap-3 rows-0 pad-x-3 inbox-folders" aria-label={t('Folders')}>
      {folders.map(([folder, label]) => (
        <button
          key={folder}
          type="button"
          className="mut nowrap target tab-line"
          aria-current={inbox.question.folder === folder ? 'page' : undefined}
          onClick={() => inbox.ask({ folder })}
        >
          {label} {folder !== 'closed' && <span className="digits dim">{counts[folder] || ''}</span>}
        </button>
      ))}
    </nav>
  );
}

function MailboxPick({ inbox, mailboxes }: { readonly inbox: Inbox; readonly mailboxes: readonly ShownMailbox[] }) {
  const { mailbox } = inbox.question;
  const count = (id: number) => inbox.page?.mailboxes[id] ?? 0;
  const entries = [
    { key: 'all', label: t('All mailboxes'), isChecked: mailbox === null, run: () => inbox.ask({ mailbox: null }) },
    ...mailboxes.map(({ id, name }) => ({
      ...{ key: String(id), label: name, isChecked: mailbox === id, run: () => inbox.ask({ mailbox: id }) },
      hint: count(id) > 0 ? String(count(id)) : '',
    })),
  ];
  const shown = entries.find(({ isChecked }) => isChecked) ?? entries[0];
  return (
    <Menu
      label={t('Mailbox')}
      entries={entries}
      trigger={(props) => (
        <button
          type="button"
          className="btn rigid inbox-box"
          aria-label={t('Mailbox: {name}', { name: shown?.label ?? '' })}
          {...props}
        >
          <span className="cut">{shown?.label}</span>
          <Icon name="chevron-down" size={14} />
        </button>
      )}
    />
  );
}

function SearchField({ inbox }: { readonly inbox: Inbox }) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== '/' || isTyping(event) || isCovered()) return;
      event.preventDefault();
      input.current?.focus();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, []);
  return (
    <input
      ref={input}
      type="search"
      className="input grow"
      aria-label={t('Search mail')}
      aria-keyshortcuts="/"
      placeholder={t('Search mail')}
      value={inbox.question.text}
      onChange={(event) => inbox.ask({ text: event.target.value })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        inbox.ask({ text: '' });
        event.currentTarget.blur();
      }}
    />
  );
}
