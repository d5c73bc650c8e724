import { useEffect, useState } from 'react';
import { sendChange, showError } from '../data/changes.ts';
import { type Due, dueOf, loadMyActivities, type MyActivity, myActivities } from '../data/my-activities.ts';
import { announce, showToast } from '../data/toasts.ts';
import { formatDate } from '../i18n/dates.ts';
import { t } from '../i18n/messages.ts';
import { useStore } from '../state/store.ts';
import { IconButton } from '../ui/button.tsx';
import { NamedIcon } from '../ui/named-icon.tsx';
import { NoticesBox } from './notices-box.tsx';

const sections: readonly (readonly [Due, string])[] = [
  ['late', 'Late'],
  ['today', 'Today'],
  ['planned', 'Planned'],
];

export function ActivityList({ onClose }: { readonly onClose: () => void }) {
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
      none={{ icon: 'circle-check', text: t('Nothing to do. Plan something beside any record, and it is here.') }}
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
      <h3 className={`notices-due due-${due}`}>
        {label} <span>{own.length}</span>
      </h3>
      <ul className="notices-list">
        {own.map((activity) => (
          <li key={activity.id} className="notices-activity">
            <a className="notices-line" href={activity.href} onClick={onClose}>
              <NamedIcon name={activity.icon} />
              <b>{activity.name}</b>
              <time dateTime={activity.dueDate} className={`due-${due}`}>
                {formatDate(activity.dueDate)}
              </time>
              <span className="notices-body">{activity.about}</span>
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
