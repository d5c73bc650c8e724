import {
  announce,
  busyTimer,
  latestOnly,
  onCatchUp,
  onEvent,
  showError,
  showToast,
  t,
  usePlaceState,
} from '@kontor/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  type Change,
  type Conversation,
  type Folder,
  type InboxPage,
  type InboxQuestion,
  loadInbox,
  sendInboxChange,
} from './inbox-data.ts';

const pageSize = 100;
const pauseMs = 200;
/** Events that come within this time are one load. */
const gatherMs = 500;

export interface Inbox {
  readonly question: InboxQuestion;
  /** Null until loaded. */
  readonly page: InboxPage | null;
  /** The conversation that is shown. */
  readonly current: Conversation | null;
  ask(question: Partial<InboxQuestion>): void;
  show(id: number | null): void;
  /** Shows the next or the previous conversation. */
  step(by: 1 | -1): void;
  /** Does something to the conversation that is shown, which `z` undoes. */
  act(change: Change, done: string, back: Change): Promise<void>;
  undo(): void;
  /** After something that cannot be undone: shows the next conversation. */
  finish(title: string): void;
  reload(): void;
}

/** What the inbox shows: loaded again whenever a conversation changes, here or elsewhere. */
// Over 60 lines: all functions change the same page and position.
export function useInbox(): Inbox {
  const [folder, setFolder] = usePlaceState<Folder>('inbox:folder', 'open');
  const [mailbox, setMailbox] = usePlaceState<number | null>('inbox:mailbox', null);
  const [shownId, setShown] = usePlaceState<number | null>('inbox:shown', null);
  const [text, setText] = useState('');
  const [limit, setLimit] = useState(pageSize);
  const [page, setPage] = useState<InboxPage | null>(null);
  const question = { folder, mailbox, text, limit };
  const latest = useRef(question);
  latest.current = question;
  const last = useRef<(() => Promise<void>) | null>(null);
  // Kept while it leaves the folder because of another person.
  const kept = useRef<Conversation | null>(null);

  const [load] = useState(() => latestOnly(() => loadInbox(latest.current), setPage));
  const reload = useCallback(() => void load().catch(showError), [load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every part of the question is asked again.
  useEffect(() => busyTimer(reload, text === '' ? 0 : pauseMs), [folder, mailbox, text, limit, reload]);
  useEffect(() => {
    // A thousand e-mails that are filed at once are a few loads.
    let cancel: (() => void) | null = null;
    const soon = () => {
      cancel ??= busyTimer(() => {
        cancel = null;
        reload();
      }, gatherMs);
    };
    const stops = [onEvent('mail.inbox', soon), onCatchUp(reload)];
    return () => {
      cancel?.();
      for (const stop of stops) stop();
    };
  }, [reload]);

  const list = page?.conversations ?? [];
  const found = list.find(({ id }) => id === shownId) ?? null;
  if (found) kept.current = found;
  const current = found ?? (kept.current?.id === shownId ? kept.current : null);

  const neighbour = (by: 1 | -1) => {
    const at = list.findIndex(({ id }) => id === shownId);
    return list[at < 0 ? 0 : at + by] ?? null;
  };
  const send = async (id: number, change: Change) => {
    await sendInboxChange(id, change);
    await load();
  };
  const undo = () => {
    const back = last.current;
    last.current = null;
    if (back) void back().catch(showError);
  };
  return {
    question,
    page,
    current,
    ask(next) {
      if (next.folder !== undefined) setFolder(next.folder);
      if (next.mailbox !== undefined) setMailbox(next.mailbox);
      if (next.text !== undefined) setText(next.text);
      setLimit(next.limit ?? pageSize);
      if (next.folder === undefined && next.mailbox === undefined) return;
      // The first of the other list is shown, once that is loaded.
      setPage(null);
      setShown(null);
    },
    show: setShown,
    step(by) {
      const next = neighbour(by);
      if (next) setShown(next.id);
    },
    async act(change, done, back) {
      if (!current) return;
      const { id } = current;
      const leaves = change.do === 'close' || change.do === 'snooze';
      const next = leaves ? (neighbour(1) ?? neighbour(-1)) : current;
      try {
        await send(id, change);
      } catch (error) {
        return showError(error);
      }
      if (next?.id !== id) setShown(next?.id ?? null);
      last.current = async () => {
        await send(id, back);
        setShown(id);
      };
      showToast({ kind: 'success', title: done, action: { label: t('Undo'), run: undo } });
    },
    undo,
    finish(title) {
      // `z` would undo what was done before.
      last.current = null;
      announce(title);
      showToast({ kind: 'success', title });
      const next = neighbour(1) ?? neighbour(-1);
      setShown(next?.id ?? null);
      reload();
    },
    reload,
  };
}
