import { useEffect, useRef, useState } from 'react';
import { followNotifications, unreadCount } from '../data/notifications.ts';
import { t, tn } from '../i18n/messages.ts';
import { navigate } from '../navigation/router.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { NoticeList } from './notice-list.tsx';

/** What the server told this person: a bell with what they have not read, and the list behind it. */
export function Notifications() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const count = useStore(unreadCount);
  useEffect(() => followNotifications((href) => void navigate(href)), []);
  const label = count === 0 ? t('Notifications') : tn('{n} new notification', '{n} new notifications', count);
  return (
    <span className="bell">
      <IconButton ref={anchor} icon="bell" label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {count > 0 && (
        <span className="bell-count" aria-hidden="true">
          {count > 99 ? '99+' : count}
        </span>
      )}
      {isOpen && (
        <Popover anchor={anchor} align="end" onClose={() => setOpen(false)} className="notices">
          <NoticeList onClose={() => setOpen(false)} />
        </Popover>
      )}
    </span>
  );
}
