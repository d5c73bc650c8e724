import { t } from '../i18n/messages.ts';
import { hasFeature } from '../state/bootstrap.ts';
import { whenIdle } from '../state/idle.ts';
import { createStore } from '../state/store.ts';
import { onCatchUp, onEvent } from './bus.ts';
import { readGroup, rpc, searchRead } from './rpc.ts';
import { showToast } from './toasts.ts';

export interface Notice {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly href: string;
  readonly at: string;
  readonly isRead: boolean;
}

const model = 'sys.notification';
const shown = 50;

/** The number of unread notifications. */
export const unreadCount = createStore(0);
/** The newest notifications; null until the list is opened. */
export const notices = createStore<readonly Notice[] | null>(null);

/** Keeps both stores up to date: on every message, when another window marks something as read, and after a gap. */
export function followNotifications(open: (href: string) => void): () => void {
  if (!hasFeature('notifications')) return () => {};
  whenIdle(() => void countUnread());
  const refresh = () => {
    void countUnread();
    if (notices.get()) void loadNotices();
  };
  const stops = [
    onEvent('notify', (payload) => {
      showNotice(payload, open);
      refresh();
    }),
    onEvent('notify.read', refresh),
    onCatchUp(refresh),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Quiet: a failure changes nothing on screen and does not ask the user to sign in. */
export async function loadNotices(isQuiet = true): Promise<void> {
  const fields = ['title', 'body', 'href', 'read_at', 'create_date'];
  const rows = await searchRead(model, [], fields, { limit: shown, order: '-id' }, { isQuiet }).catch(() => null);
  if (!rows) return;
  notices.set(
    rows.map((row) => ({
      id: row.id,
      title: String(row.title ?? ''),
      body: String(row.body ?? ''),
      href: String(row.href ?? ''),
      at: String(row.create_date),
      isRead: row.read_at !== null,
    })),
  );
}

export function readNotice(id: number): void {
  markRead((notice) => notice.id === id);
  void rpc({ model, method: 'call', args: [id, 'action_read'] }, { isQuiet: true }).catch(() => countUnread());
}

export function readAllNotices(): void {
  const newest = notices.get()?.[0];
  if (!newest) return;
  markRead(() => true);
  unreadCount.set(0);
  const call = { model, method: 'call', args: [newest.id, 'action_read_through'] };
  void rpc(call, { isQuiet: true }).catch(() => countUnread());
}

function markRead(isMeant: (notice: Notice) => boolean): void {
  const before = notices.get();
  if (!before) return;
  const fresh = before.filter((notice) => isMeant(notice) && !notice.isRead).length;
  notices.set(before.map((notice) => (isMeant(notice) ? { ...notice, isRead: true } : notice)));
  unreadCount.set((now) => Math.max(0, now - fresh));
}

async function countUnread(): Promise<void> {
  const spec = { domain: [['read_at', '=', null] as const], groupby: [], fields: [] };
  const rows = await readGroup(model, spec, { isQuiet: true }).catch(() => null);
  if (rows) unreadCount.set(Number(rows[0]?.__count ?? 0));
}

function showNotice(payload: Readonly<Record<string, unknown>>, open: (href: string) => void): void {
  const kind = payload.kind === 'success' || payload.kind === 'error' ? payload.kind : 'info';
  const href = typeof payload.href === 'string' && payload.href.startsWith('/web') ? payload.href : '';
  showToast({
    kind,
    title: String(payload.title ?? ''),
    body: String(payload.body ?? ''),
    ...(href ? { action: { label: t('Open'), run: () => open(href) } } : {}),
  });
}
