import { useEffect, useRef, useState } from 'react';
import { dueOf } from '../../data/activities.ts';
import { onCatchUp, onEvent } from '../../data/bus.ts';
import { request } from '../../data/request.ts';
import { dueWords } from '../../i18n/dates.ts';
import { today } from '../../i18n/local-time.ts';
import { t } from '../../i18n/messages.ts';
import { bootstrap, hasFeature } from '../../state/bootstrap.ts';
import { busyTimer } from '../../state/idle.ts';
import { createStore, useStorePart } from '../../state/store.ts';
import { NamedIcon } from '../../ui/icon.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { FieldReadProps } from '../define-field.ts';
import { Activities, useActivities } from './activities.tsx';
import './activities.css';
import './next-activity.css';

const tones = { late: 'bad', today: 'warn', planned: 'ok' };

/** The next activity of a record, coloured by its due date; a click shows all activities and a form to add one. */
export function NextActivity(props: FieldReadProps) {
  const { model, record, place } = props;
  const next = useNextActivity(model, record.id);
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  if (!hasFeature('activities')) return null;
  const when = next ? dueWords(next.dueDate, today()) : '';
  const label = next ? t('{name}, {when}', { name: next.name, when }) : t('Plan an activity');
  return (
    <span className="anchor nowrap next" data-direct onKeyDown={(event) => isOpen && event.stopPropagation()}>
      <button
        ref={anchor}
        type="button"
        className={`inline-row gap-1 small dim medium round-s hovers least-24 next-button ${next ? `next-${dueOf(next.dueDate)} ${tones[dueOf(next.dueDate)]}` : 'next-none'}`}
        aria-label={label}
        aria-expanded={isOpen}
        title={label}
        tabIndex={place === 'list' ? -1 : 0}
        onClick={(event) => {
          event.stopPropagation();
          setOpen(!isOpen);
        }}
      >
        <NamedIcon name={next?.icon ?? 'clock'} size={14} />
        {next && place !== 'kanban' && <span>{when}</span>}
      </button>
      {isOpen && (
        <Popover anchor={anchor} className="next-box" onClose={() => setOpen(false)}>
          <Planned model={model} recordId={record.id} />
        </Popover>
      )}
    </span>
  );
}

function Planned({ model, recordId }: { readonly model: string; readonly recordId: number }) {
  const activities = useActivities(model, recordId);
  const refresh = async () => {
    loadSoon(model, recordId);
    await activities.refresh();
  };
  const leave = (id: number, send: () => Promise<void>) =>
    activities.leave(id, async () => {
      await send();
      loadSoon(model, recordId);
    });
  return <Activities {...activities} {...{ model, recordId, refresh, leave }} />;
}

/** The next activity of a record, and the number of all. */
interface PlannedActivity {
  readonly name: string;
  readonly dueDate: string;
  readonly icon: string | null;
  readonly count: number;
}

/** By model and id; null: nothing is planned. */
const known = createStore<ReadonlyMap<string, PlannedActivity | null>>(new Map());
const wanted = new Map<string, Set<number>>();
const maxAtOnce = 200;
const maxKept = 2_000;
let isFollowing = false;

/** Undefined until loaded. Records on one screen are requested together. */
function useNextActivity(model: string, id: number): PlannedActivity | null | undefined {
  useEffect(() => {
    follow();
    if (!known.get().has(keyOf(model, id))) loadSoon(model, id);
  }, [model, id]);
  return useStorePart(known, (all) => all.get(keyOf(model, id)));
}

function loadSoon(model: string, id: number): void {
  if (!hasFeature('activities')) return;
  if (wanted.size === 0) busyTimer(loadAsked, 20);
  const ids = wanted.get(model) ?? new Set();
  wanted.set(model, ids.add(id));
}

function loadAsked(): void {
  for (const [model, ids] of wanted) {
    const all = [...ids];
    for (let at = 0; at < all.length; at += maxAtOnce) void ask(model, all.slice(at, at + maxAtOnce));
  }
  wanted.clear();
}

async function ask(model: string, ids: readonly number[]): Promise<void> {
  const query = new URLSearchParams({ model, ids: ids.join() });
  const address = `${bootstrap().wcApiBase}/activities?${query}`;
  const answer = await request<{ next: Record<string, PlannedActivity> }>(address).catch(() => null);
  if (!answer) return;
  const { next } = answer.body;
  const found = ids.map((id) => [keyOf(model, id), next[id] ?? null] as const);
  known.set((now) => new Map([...(now.size > maxKept ? [] : now), ...found]));
}

/** Reloads what is on screen when someone changes an activity. */
function follow(): void {
  if (isFollowing) return;
  isFollowing = true;
  onEvent('activity.changed', ({ model, id }) => {
    if (known.get().has(keyOf(String(model), Number(id)))) loadSoon(String(model), Number(id));
  });
  onCatchUp(() => {
    for (const key of known.get().keys()) {
      const [model = '', id] = key.split(' ');
      loadSoon(model, Number(id));
    }
  });
}

function keyOf(model: string, id: number): string {
  return `${model} ${id}`;
}
