import { useEffect, useMemo, useState } from 'react';
import {
  type Activity,
  cancelActivity,
  dueOf,
  finishActivity,
  loadActivities,
  type RecordActivities,
} from '../../data/activities.ts';
import { onCatchUp, onEvent } from '../../data/bus.ts';
import { offerUndo, sendChange, showError } from '../../data/changes.ts';
import { latestOnly } from '../../data/request.ts';
import { announce } from '../../data/toasts.ts';
import { t } from '../../i18n/messages.ts';
import { whileBusy } from '../../state/idle.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DueDate } from '../../ui/due-date.tsx';
import { NamedIcon } from '../../ui/icon.tsx';
import { Person, Skeleton } from '../../ui/parts.tsx';
import { sanitiseHtml } from '../html/sanitise-html.ts';
import { ActivityForm } from './activity-form.tsx';
import './activities.css';

interface ActivitiesProps
  extends Pick<ActivityState, 'list' | 'leaving' | 'isPlanning' | 'setPlanning' | 'refresh' | 'leave'> {
  readonly model: string;
  readonly recordId: number;
}

/** The planned activities of the record, and a form to add one. */
export function Activities(props: ActivitiesProps) {
  const { model, recordId, list, leaving, isPlanning, setPlanning, refresh, leave } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
    <div className="fill scroll pad-4 chatter-feed" tabIndex={0} role="region" aria-label={t('Activities')}>
      {isPlanning ? (
        <ActivityForm model={model} recordId={recordId} onClose={() => setPlanning(false)} onSaved={refresh} />
      ) : (
        <Button icon="plus" className="below-3" onClick={() => setPlanning(true)}>
          {t('Plan an activity')}
        </Button>
      )}
      {list === null && <Skeleton width="70%" />}
      {list?.length === 0 && !isPlanning && (
        <p className="dim activity-none">{t('Nothing planned. Schedule a call, a meeting or a task.')}</p>
      )}
      {list && list.length + leaving.length > 0 && (
        <ol className="stack activity-list">
          {[...list, ...leaving].map((activity) => (
            <ActivityItem key={activity.id} {...{ activity, refresh, leave }} isLeaving={leaving.includes(activity)} />
          ))}
        </ol>
      )}
    </div>
  );
}

interface ActivityItemProps extends Pick<ActivityState, 'refresh' | 'leave'> {
  readonly activity: Activity;
  /** Hidden, with its input, until the server confirms. */
  readonly isLeaving: boolean;
}

/** One activity: the assignee, the due date, and feedback when it is done. */
function ActivityItem({ activity, refresh, leave, isLeaving }: ActivityItemProps) {
  const [mode, setMode] = useState<'look' | 'done' | 'edit'>('look');
  const { id, name, note, dueDate, user, type, isOwn } = activity;
  const due = dueOf(dueDate);
  const cancel = () =>
    leave(id, async () => {
      const changeSet = await cancelActivity(id);
      offerUndo(t('Cancelled: {name}', { name }), 'mail.activity', changeSet);
    });
  const finish = (feedback: string) =>
    leave(id, async () => {
      await finishActivity(id, feedback);
      announce(t('Done: {name}', { name }));
    });
  if (mode === 'edit') {
    return (
      <li>
        <ActivityForm activity={activity} onClose={() => setMode('look')} onSaved={refresh} />
      </li>
    );
  }
  return (
    <li className={`stack gap-2h panel anchor break activity activity-${due}`} hidden={isLeaving}>
      <span className="middle mut circle muted square-28">
        <NamedIcon name={type.icon ?? 'check'} size={14} />
      </span>
      <div className="activity-text">
        <b className="semi">{name}</b>
        <p className="line wrap small mut gap-2 rows-0 activity-meta">
          <DueDate date={dueDate} />
          <Person name={user.name} />
          <span>{type.name}</span>
        </p>
        {note && (
          <div
            className="small above-1"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: cleaned here and on the server.
            dangerouslySetInnerHTML={{ __html: sanitiseHtml(note) }}
          />
        )}
        {mode === 'done' && <Feedback onClose={() => setMode('look')} onDone={finish} />}
      </div>
      {isOwn && mode === 'look' && (
        <div className="line at-start activity-actions">
          <IconButton icon="check" label={t('Done: {name}', { name })} onClick={() => setMode('done')} />
          <IconButton icon="pencil" label={t('Change {name}', { name })} onClick={() => setMode('edit')} />
          <IconButton icon="x" label={t('Cancel {name}', { name })} onClick={() => void cancel()} />
        </div>
      )}
    </li>
  );
}

interface FeedbackProps {
  onClose(): void;
  onDone(feedback: string): void;
}

function Feedback({ onClose, onDone }: FeedbackProps) {
  const [text, setText] = useState('');
  const finish = () => onDone(text.trim());
  return (
    <form
      className="above-2 activity-feedback"
      onSubmit={(event) => {
        event.preventDefault();
        finish();
      }}
    >
      <textarea
        className="input"
        aria-label={t('Outcome')}
        placeholder={t('Outcome (optional)')}
        rows={2}
        maxLength={10_000}
        autoFocus
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) finish();
        }}
      />
      <div className="line gap-2 above-2">
        <Button kind="primary" type="submit">
          {t('Mark as done')}
        </Button>
        <Button kind="bare" onClick={onClose}>
          {t('Back')}
        </Button>
      </div>
    </form>
  );
}

interface ActivityState {
  /** Soonest first; null until loaded. */
  readonly list: readonly Activity[] | null;
  /** Activities that were just done or cancelled. */
  readonly leaving: readonly Activity[];
  readonly hasLate: boolean;
  /** The form to add one is open. */
  readonly isPlanning: boolean;
  readonly isFollowed: boolean;
  readonly fileCount: number;
  setPlanning(isPlanning: boolean): void;
  refresh(): Promise<void>;
  /** Hides a done or cancelled activity at once, and shows it again if the server rejects the change. */
  leave(id: number, send: () => Promise<void>): void;
  follow(isFollowed: boolean): Promise<void>;
}

/** The open activities of a record, kept up to date. */
export function useActivities(model: string, recordId: number): ActivityState {
  const [known, setKnown] = useState<RecordActivities | null>(null);
  const [isPlanning, setPlanning] = useState(false);
  const refresh = useMemo(() => {
    const load = latestOnly(() => loadActivities(model, recordId), setKnown);
    // On failure the current list stays; the feed beside it shows the error.
    return () => load().catch(() => {});
  }, [model, recordId]);
  useEffect(() => {
    void refresh();
    const stops = [
      ...['activity.changed', 'chatter.posted'].map((channel) =>
        onEvent(channel, (payload) => payload.model === model && payload.id === recordId && void refresh()),
      ),
      onCatchUp(() => void refresh()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [model, recordId, refresh]);
  const [gone, setGone] = useState<readonly number[]>([]);
  const leave = async (id: number, send: () => Promise<void>) => {
    setGone((now) => [...now, id]);
    await whileBusy(send().then(refresh)).catch(showError);
    setGone((now) => now.filter((one) => one !== id));
  };
  const follow = async (isFollowed: boolean) => {
    setKnown((now) => now && { ...now, isFollowed });
    await whileBusy(followRecord(model, recordId, isFollowed)).catch(showError);
    await refresh();
  };
  const list = known?.activities.filter(({ id }) => !gone.includes(id)) ?? null;
  const leaving = known?.activities.filter(({ id }) => gone.includes(id)) ?? [];
  const hasLate = list?.some(({ dueDate }) => dueOf(dueDate) === 'late') ?? false;
  return {
    ...{ list, leaving, hasLate, isPlanning, setPlanning, refresh, follow },
    isFollowed: known?.isFollowed ?? false,
    fileCount: known?.fileCount ?? 0,
    leave: (id, send) => void leave(id, send),
  };
}

async function followRecord(model: string, id: number, isFollowed: boolean): Promise<void> {
  const values = { model, res_id: id, is_on: isFollowed };
  await sendChange({ model: 'mail.follow', method: 'create', args: [values] });
}
