import { useEffect, useRef, useState } from 'react';
import { onEvent } from '../data/bus.ts';
import { createStore, useStore } from '../data/store.ts';
import { showToast } from '../data/toasts.ts';
import { formatRelative } from '../i18n/dates.ts';
import { t, tn } from '../i18n/messages.ts';
import { IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';

interface Notice {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly at: string;
}

const notices = createStore<readonly Notice[]>([]);
const unread = createStore(0);
const kept = 50;

/** What the server told this person (`notify` on the bus) since the page was opened. */
export function Notifications() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const count = useStore(unread);
  useEffect(() => onEvent('notify', receive), []);
  const label = count === 0 ? t('Notifications') : tn('{n} new notification', '{n} new notifications', count);
  return (
    <span className="bell">
      <IconButton
        ref={anchor}
        icon="bell"
        label={label}
        aria-expanded={isOpen}
        onClick={() => {
          unread.set(0);
          setOpen(!isOpen);
        }}
      />
      {count > 0 && <span className="bell-dot" aria-hidden="true" />}
      {isOpen && (
        <Popover anchor={anchor} align="end" onClose={() => setOpen(false)} className="notices">
          <NoticeList />
        </Popover>
      )}
    </span>
  );
}

function NoticeList() {
  const shown = useStore(notices);
  if (shown.length === 0) return <p className="notices-none">{t('Nothing new')}</p>;
  return (
    <ul>
      {shown.map(({ id, title, body, at }) => (
        <li key={id}>
          <b>{title}</b> <time dateTime={at}>{formatRelative(at)}</time>
          {body && <p>{body}</p>}
        </li>
      ))}
    </ul>
  );
}

let lastId = 0;

function receive(payload: Readonly<Record<string, unknown>>): void {
  const title = String(payload.title ?? '');
  const body = String(payload.body ?? '');
  const kind = payload.kind === 'success' || payload.kind === 'error' ? payload.kind : 'info';
  notices.set((now) => [{ id: ++lastId, title, body, at: new Date().toISOString() }, ...now].slice(0, kept));
  unread.set((now) => now + 1);
  showToast({ kind, title, body });
}
