import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  activityCounts,
  type Due,
  dueOf,
  followMyActivities,
  loadMyActivities,
  type MyActivity,
  myActivities,
} from '../data/activities.ts';
import { sendChange, showError } from '../data/changes.ts';
import {
  followNotifications,
  loadNotices,
  type Notice,
  notices,
  readAllNotices,
  readNotice,
  unreadCount,
} from '../data/notifications.ts';
import { announce, showToast } from '../data/toasts.ts';
import { formatDateTime, formatRelative } from '../i18n/dates.ts';
import { t, tn } from '../i18n/messages.ts';
import { navigate } from '../navigation/router.ts';
import { useStore } from '../state/store.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { DueDate } from '../ui/due-date.tsx';
import { Icon, NamedIcon } from '../ui/icon.tsx';
import type { IconName } from '../ui/icons.ts';
import { Skeleton } from '../ui/parts.tsx';
import { Popover } from '../ui/popover.tsx';
import { watchPrinting } from './paper.ts';
import './notices.css';

/** The user's activities and notifications. Loaded after the first frame. */
export function Tray() {
  // Loaded with the tray, after the first screen.
  useEffect(watchPrinting, []);
  return (
    <div className="line end gap-1 tray">
      <ActivityCounter />
      <Notifications />
    </div>
  );
}

/** The user's activities that are due, on every screen. */
function ActivityCounter() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const counts = useStore(activityCounts);
  useEffect(followMyActivities, []);
  if (!counts) return null;
  const due = counts.late + counts.today;
  const label = due === 0 ? t('My activities') : tn('{n} activity is due', '{n} activities are due', due);
  return (
    <span className="anchor bell">
      <IconButton ref={anchor} icon="clock" label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {due > 0 && (
        <span
          className={`strong centred round-m pin pass pad-x-1 at-back bell-count ${counts.late > 0 ? 'bg-bad' : 'bg-accent'}`}
          aria-hidden="true"
        >
          {due > 99 ? '99+' : due}
        </span>
      )}
      {isOpen && (
        <Popover anchor={anchor} align="end" onClose={() => setOpen(false)} className="scroll pad-0 notices">
          <ActivityList onClose={() => setOpen(false)} />
        </Popover>
      )}
    </span>
  );
}

const sections: readonly (readonly [Due, string])[] = [
  ['late', 'Late'],
  ['today', 'Today'],
  ['planned', 'Planned'],
];

function ActivityList({ onClose }: { readonly onClose: () => void }) {
  const shown = useStore(myActivities);
  useEffect(() => void loadMyActivities(false), []);
  return (
    <NoticesBox
      title={t('My activities')}
      action={
        <a className="btn btn-bare" href="/web?action=mail.activities" onClick={onClose}>
          {t('See all')}
        </a>
      }
      items={shown}
      none={{ icon: 'circle-check', text: t('Nothing to do. Activities that you plan on a record appear here.') }}
    >
      {shown &&
        sections.map(([due, label]) => (
          <Section key={due} due={due} label={t(label)} activities={shown} onClose={onClose} />
        ))}
    </NoticesBox>
  );
}

interface SectionProps {
  readonly due: Due;
  readonly label: string;
  readonly activities: readonly MyActivity[];
  readonly onClose: () => void;
}

function Section({ due, label, activities, onClose }: SectionProps) {
  const own = activities.filter((activity) => dueOf(activity.dueDate) === due);
  if (own.length === 0) return null;
  return (
    <>
      <h3
        className={`line gap-2 small strong sunken pad-2-4 notices-due ${due === 'late' ? 'bad' : due === 'today' ? 'warn' : ''}`}
      >
        {label} <span className="dim regular">{own.length}</span>
      </h3>
      <ul className="notices-list">
        {own.map((activity) => (
          <li key={activity.id} className="row gap-0 lined last-bare pad-e-2 notices-activity">
            <a
              className="stack anchor full start ink gap-2 rows-half hovers-within notices-line"
              href={activity.href}
              onClick={onClose}
            >
              <NamedIcon name={activity.icon} className="mut above-half" />
              <b className="medium break">{activity.name}</b>
              <DueDate date={activity.dueDate} />
              <span className="small mut break clip whole-row notices-body">{activity.about}</span>
            </a>
            <DoneButton activity={activity} />
          </li>
        ))}
      </ul>
    </>
  );
}

function DoneButton({ activity }: { readonly activity: MyActivity }) {
  const [isBusy, setBusy] = useState(false);
  const finish = async () => {
    setBusy(true);
    try {
      await sendChange({ model: 'mail.activity', method: 'call', args: [activity.id, 'action_done'] });
      myActivities.set((now) => now?.filter((one) => one.id !== activity.id) ?? null);
      announce(t('Done: {name}', { name: activity.name }));
      showToast({ kind: 'success', title: t('Done: {name}', { name: activity.name }) });
    } catch (error) {
      showError(error);
      setBusy(false);
    }
  };
  return (
    <IconButton
      icon="check"
      label={t('Mark “{name}” as done', { name: activity.name })}
      disabled={isBusy}
      onClick={() => void finish()}
    />
  );
}

/** A bell with the number of unread notifications, and their list. */
export function Notifications() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const count = useStore(unreadCount);
  useEffect(() => followNotifications((href) => void navigate(href)), []);
  const label = count === 0 ? t('Notifications') : tn('{n} new notification', '{n} new notifications', count);
  return (
    <span className="anchor bell">
      <IconButton ref={anchor} icon="bell" label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {count > 0 && (
        <span className="strong centred round-m pin pass pad-x-1 bg-bad at-back bell-count" aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
      {isOpen && (
        <Popover anchor={anchor} align="end" onClose={() => setOpen(false)} className="scroll pad-0 notices">
          <NoticeList onClose={() => setOpen(false)} />
        </Popover>
      )}
    </span>
  );
}

function NoticeList({ onClose }: { readonly onClose: () => void }) {
  const shown = useStore(notices);
  useEffect(() => void loadNotices(false), []);
  const hasUnread = shown?.some((notice) => !notice.isRead) ?? false;
  return (
    <NoticesBox
      title={t('Notifications')}
      action={
        hasUnread && (
          <Button kind="bare" onClick={readAllNotices}>
            {t('Mark all as read')}
          </Button>
        )
      }
      items={shown}
      none={{
        icon: 'bell',
        text: t('No notifications. Mentions and assignments appear here.'),
      }}
    >
      {shown && shown.length > 0 && (
        <ul className="notices-list">
          {shown.map((notice) => (
            <li key={notice.id} className="lined last-bare">
              <NoticeLine notice={notice} onClose={onClose} />
            </li>
          ))}
        </ul>
      )}
    </NoticesBox>
  );
}

function NoticeLine({ notice, onClose }: { readonly notice: Notice; readonly onClose: () => void }) {
  const { id, title, body, href, at, isRead } = notice;
  const open = () => {
    if (!isRead) readNotice(id);
    if (href) onClose();
  };
  const look = `stack anchor full start ink gap-2 rows-half ${isRead ? 'hovers-within' : 'tinted'} notices-line`;
  const content = (
    <>
      <b className={`break ${isRead ? 'medium' : 'strong'}`}>
        {title}
        {!isRead && <span className="sr-only">{t('(new)')}</span>}
      </b>
      <time className="mut" dateTime={at} title={formatDateTime(at)}>
        {formatRelative(at)}
      </time>
      {body && <span className="small mut break clip whole-row notices-body">{body}</span>}
    </>
  );
  return href.startsWith('/web') ? (
    <a className={look} href={href} onClick={open}>
      {content}
    </a>
  ) : (
    <button type="button" className={look} onClick={open}>
      {content}
    </button>
  );
}

interface NoticesBoxProps {
  readonly title: string;
  /** Shown beside the title. */
  readonly action: ReactNode;
  /** Null while loading. */
  readonly items: readonly unknown[] | null;
  readonly none: { readonly icon: IconName; readonly text: string };
  readonly children: ReactNode;
}

/** The popover of a tray icon: a title and a list, a skeleton or an empty state. */
function NoticesBox({ title, action, items, none, children }: NoticesBoxProps) {
  return (
    <div>
      <div className="row apart lined gap-0 stick at-top above raised least-44 pad-s-4 pad-e-2">
        <h2 className="normal">{title}</h2>
        {action}
      </div>
      {items === null && (
        <p className="stack mut centred items-centre pad-5">
          <Skeleton width="70%" />
        </p>
      )}
      {items?.length === 0 && (
        <p className="stack mut centred items-centre pad-5">
          <Icon name={none.icon} size={22} />
          {none.text}
        </p>
      )}
      {children}
    </div>
  );
}
