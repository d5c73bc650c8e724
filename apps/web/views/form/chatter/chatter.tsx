import { type ReactNode, type RefObject, useId, useRef, useState } from 'react';
import {
  Activities,
  Button,
  type ChatterProps,
  createStore,
  IconButton,
  lazyComponent,
  readingKey,
  t,
  useActivities,
  useMedia,
  usePlaceState,
  useScreenCommands,
  useStore,
} from '../../../door/index.ts';
import { useOpenForm } from '../use-form.ts';
import { Composer } from './composer.tsx';
import { Feed, useFeed } from './feed.tsx';
import './styles.css';

const { Component: Files } = lazyComponent<ChatterProps & { onChange(): void }>(
  async () => (await import('./files.tsx')).Files,
);

const { Component: Timeline } = lazyComponent<ChatterProps>(async () => (await import('./timeline.tsx')).Timeline);

const { Component: Followers } = lazyComponent<
  ChatterProps & { anchor: RefObject<HTMLElement | null>; onClose(): void; onChange(): void }
>(async () => (await import('./followers.tsx')).Followers);

/** Comments, changes, activities and files of a record. Empty if the model has no chatter. */
export function Chatter({ model, recordId, isInPanel = false, hasTimeline = false }: ChatterProps) {
  const feed = useFeed(model, recordId);
  const activities = useActivities(model, recordId);
  const [chosen, setChosen] = usePlaceState(`chatter:${model}`, 'talk');
  const id = useId();
  const [isFolded, setFolded] = useFold();
  const plan = () => {
    setFolded(false);
    setChosen('todo');
    activities.setPlanning(true);
  };
  const planning = { key: 'plan', label: t('Plan an activity'), icon: 'calendar', run: plan };
  useScreenCommands('activities', activities.list ? [planning] : []);
  if (feed.isAbsent) return null;
  const fold = (
    <IconButton
      className="chatter-fold"
      icon={isFolded ? 'message-square' : 'chevron-right'}
      label={isFolded ? t('Show the discussion') : t('Hide the discussion')}
      aria-expanded={!isFolded}
      onClick={() => setFolded(!isFolded)}
    />
  );
  if (isFolded && !isInPanel) {
    return <FoldedChatter count={activities.list?.length ?? 0}>{fold}</FoldedChatter>;
  }
  return (
    <aside
      className={`column shrink sunken least-0 ${isInPanel ? 'topped chatter-below' : 'ruled-start'} chatter ${hasTimeline ? 'chatter-timed' : ''}`}
      aria-label={t('Discussion')}
    >
      <div className="row rigid lined gap-0 container chatter-head">
        <Tabs {...{ id, chosen, activities, hasTimeline }} onChoose={setChosen} />
        {activities.list && <FollowersButton {...{ model, recordId }} onChange={() => void activities.refresh()} />}
        {activities.list && (
          <Button
            kind="bare"
            className={`chatter-follow ${activities.isFollowed ? 'accent' : ''}`}
            icon={activities.isFollowed ? 'check' : 'bell'}
            aria-pressed={activities.isFollowed}
            title={t('Your home screen shows comments and changes on records that you follow.')}
            onClick={() => void activities.follow(!activities.isFollowed)}
          >
            {t('Follow')}
          </Button>
        )}
        {!isInPanel && fold}
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${chosen}`} className="column fill">
        <Chosen {...{ model, recordId, hasTimeline, chosen, feed, activities }} />
      </div>
    </aside>
  );
}

function FollowersButton({ onChange, ...props }: ChatterProps & { onChange(): void }) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton ref={anchor} icon="users" label={t('Followers')} onClick={() => setOpen(true)} />
      {isOpen && <Followers {...props} anchor={anchor} onClose={() => setOpen(false)} onChange={onChange} />}
    </>
  );
}

function FoldedChatter({ count, children }: { readonly count: number; readonly children: ReactNode }) {
  return (
    <aside
      className="column shrink sunken ruled-start chatter gap-2 level pad-1h chatter-folded"
      aria-label={t('Discussion')}
    >
      {children}
      {count > 0 && <span className="tiny centred ink tinted chatter-count">{count}</span>}
    </aside>
  );
}

interface ChosenProps extends ChatterProps {
  readonly chosen: string;
  readonly feed: ReturnType<typeof useFeed>;
  readonly activities: ReturnType<typeof useActivities>;
}

function Chosen({ model, recordId, hasTimeline, chosen, feed, activities }: ChosenProps) {
  const { workspace } = useOpenForm();
  if (chosen === 'files') return <Files model={model} recordId={recordId} onChange={() => void activities.refresh()} />;
  if (chosen === 'time' && hasTimeline) return <Timeline model={model} recordId={recordId} />;
  if (chosen === 'todo') return <Activities {...activities} model={model} recordId={recordId} />;
  return (
    <>
      <Feed {...{ feed, model, recordId }} fields={workspace.arch.fields} />
      <Composer model={model} recordId={recordId} />
    </>
  );
}

interface TabsProps {
  readonly id: string;
  readonly chosen: string;
  readonly activities: ReturnType<typeof useActivities>;
  readonly hasTimeline: boolean;
  readonly onChoose: (key: string) => void;
}

function Tabs({ id, chosen, activities, hasTimeline, onChoose }: TabsProps) {
  const tabs = [
    { key: 'talk', label: t('Discussion'), count: 0 },
    ...(hasTimeline ? [{ key: 'time', label: t('Timeline'), count: 0 }] : []),
    { key: 'todo', label: t('Activities'), count: activities.list?.length ?? 0 },
    { key: 'files', label: t('Files'), count: activities.fileCount },
  ];
  return (
    <div className="line gap-2 share scroll chatter-tabs" role="tablist">
      {tabs.map(({ key, label, count }, at) => (
        <button
          key={key}
          id={`${id}-${key}`}
          type="button"
          role="tab"
          className="mut nowrap tab-line chatter-tab"
          aria-selected={chosen === key}
          aria-controls={`${id}-panel`}
          tabIndex={chosen === key ? 0 : -1}
          onClick={() => onChoose(key)}
          onKeyDown={(event) => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[readingKey(event.key)];
            if (!step) return;
            event.preventDefault();
            const next = tabs[(at + step + tabs.length) % tabs.length]?.key ?? key;
            onChoose(next);
            document.getElementById(`${id}-${next}`)?.focus();
          }}
        >
          {label}
          {count > 0 && <span className="mut digits regular chatter-n"> {count}</span>}
          {key === 'todo' && activities.hasLate && <span className="bad small before-1">{t('late')}</span>}
        </button>
      ))}
    </div>
  );
}

const key = 'kontor.chatter-folded';
const folded = createStore(localStorage.getItem(key) === '1');
/** As in the style sheet: on narrower screens the chatter is below the sheet. */
const besideQuery = '(min-width: 1181px)';

/** Whether the chatter is collapsed. Kept on this device, because screen sizes differ. */
function useFold(): readonly [boolean, (isFolded: boolean) => void] {
  const isBeside = useMedia(besideQuery);
  const isFolded = useStore(folded);
  return [isFolded && isBeside, setFolded];
}

function setFolded(isFolded: boolean): void {
  folded.set(isFolded);
  localStorage.setItem(key, isFolded ? '1' : '0');
}
