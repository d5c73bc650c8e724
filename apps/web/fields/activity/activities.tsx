import { useState } from 'react';
import { t } from '../../i18n/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/parts.tsx';
import { ActivityForm } from './activity-form.tsx';
import { ActivityItem } from './activity-item.tsx';
import type { ActivityState } from './use-activities.ts';

interface ActivitiesProps extends ActivityState {
  readonly model: string;
  readonly recordId: number;
}

/** What is planned for the record, and a way to plan more. */
export function Activities({ model, recordId, list, refresh }: ActivitiesProps) {
  const [isPlanning, setPlanning] = useState(false);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <div className="chatter-feed" tabIndex={0} role="region" aria-label={t('Activities')}>
      {isPlanning ? (
        <ActivityForm model={model} recordId={recordId} onClose={() => setPlanning(false)} onSaved={refresh} />
      ) : (
        <Button icon="plus" className="activity-plan" onClick={() => setPlanning(true)}>
          {t('Plan an activity')}
        </Button>
      )}
      {list === null && <Skeleton width="70%" />}
      {list?.length === 0 && !isPlanning && (
        <p className="dim activity-none">{t('Nothing is planned. A call, a meeting, something to send?')}</p>
      )}
      {list && list.length > 0 && (
        <ol className="activity-list">
          {list.map((activity) => (
            <ActivityItem key={activity.id} activity={activity} refresh={refresh} />
          ))}
        </ol>
      )}
    </div>
  );
}
