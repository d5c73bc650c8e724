import { useEffect, useRef, useState } from 'react';
import { activityCounts, followMyActivities } from '../data/my-activities.ts';
import { t, tn } from '../i18n/messages.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { Popover } from '../ui/popover.tsx';
import { ActivityList } from './activity-list.tsx';

/** What this person has to do until today, from anywhere. */
export function ActivityCounter() {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const counts = useStore(activityCounts);
  useEffect(followMyActivities, []);
  if (!counts) return null;
  const due = counts.late + counts.today;
  const label = due === 0 ? t('My activities') : tn('{n} activity is due', '{n} activities are due', due);
  return (
    <span className="bell">
      <IconButton ref={anchor} icon="clock" label={label} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      {due > 0 && (
        <span className={`bell-count ${counts.late > 0 ? '' : 'bell-count-calm'}`} aria-hidden="true">
          {due > 99 ? '99+' : due}
        </span>
      )}
      {isOpen && (
        <Popover anchor={anchor} align="end" onClose={() => setOpen(false)} className="notices">
          <ActivityList onClose={() => setOpen(false)} />
        </Popover>
      )}
    </span>
  );
}
