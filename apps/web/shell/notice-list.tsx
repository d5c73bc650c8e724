import { useEffect } from 'react';
import { loadNotices, type Notice, notices, readAllNotices, readNotice } from '../data/notifications.ts';
import { formatDateTime, formatRelative } from '../i18n/dates.ts';
import { t } from '../i18n/messages.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { NoticesBox } from './notices-box.tsx';

export function NoticeList({ onClose }: { readonly onClose: () => void }) {
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
        text: t('Nothing new. When somebody mentions you or gives you something to do, it is here.'),
      }}
    >
      {shown && shown.length > 0 && (
        <ul className="notices-list">
          {shown.map((notice) => (
            <li key={notice.id} className={notice.isRead ? '' : 'is-new'}>
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
  const content = (
    <>
      <b>
        {title}
        {!isRead && <span className="sr-only">{t('(new)')}</span>}
      </b>
      <time dateTime={at} title={formatDateTime(at)}>
        {formatRelative(at)}
      </time>
      {body && <span className="notices-body">{body}</span>}
    </>
  );
  return href.startsWith('/web') ? (
    <a className="notices-line" href={href} onClick={open}>
      {content}
    </a>
  ) : (
    <button type="button" className="notices-line" onClick={open}>
      {content}
    </button>
  );
}
