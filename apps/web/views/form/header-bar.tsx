import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  Button,
  type ButtonNode,
  changeCount,
  formatTime,
  holds,
  Icon,
  lazyComponent,
  navigate,
  prefetchRecord,
  type RecordRef,
  recordHref,
  type SearchState,
  shownRecord,
  t,
  tn,
  usePhone,
  useStorePart,
} from '../../door/index.ts';
import { ActionButton, useButtonRun } from './action-button.tsx';
import { StatusBar } from './status-bar.tsx';
import { useIsDirty, useOpenForm } from './use-form.ts';

const { Component: RecordMenu } = lazyComponent(
  async () => (await import('./record-menu.tsx')).RecordMenu,
  <span className="icon-btn" />,
);
const { Component: Presence } = lazyComponent<RecordRef>(async () => (await import('./presence.tsx')).Presence);

interface HeaderBarProps {
  readonly search: SearchState;
  onSave(): Promise<boolean>;
}

/** One row at any width: buttons that do not fit go into the menu, then the steps lose their labels. */
export function HeaderBar({ search, onSave }: HeaderBarProps) {
  const open = useOpenForm();
  const { arch, model, recordId } = open.workspace;
  const { visible, seldom, next } = useHeaderButtons();
  const isPhone = usePhone();
  const bar = useRef<HTMLDivElement>(null);
  const room = useRoom(bar, visible);
  // On a phone, buttons are at the bottom of the form.
  const inBar = isPhone ? [] : visible.slice(0, Math.max(1, room));
  const { isRunning, press } = useButtonRun({ onSave });
  const more = [...visible.slice(isPhone ? 1 : inBar.length), ...seldom].map((button, index) => ({
    key: `button-${button.name}-${index}`,
    label: button.label,
    icon: button.icon,
    isDanger: button.danger === true,
    isDisabled: isRunning,
    run: () => press(button),
  }));
  return (
    <div ref={bar} className={`bar form-bar ${room === 0 ? 'form-tight' : ''}`}>
      {inBar.length > 0 && (
        <div className="line gap-2 rigid form-actions">
          {inBar.map((button, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one action may have several buttons, each for its own state.
            <ActionButton key={`${button.name}-${index}`} button={button} isPlain={button !== next} onSave={onSave} />
          ))}
        </div>
      )}
      <div className="row push rigid bar-end">
        <Presence model={model} id={recordId} />
        {arch.header.status && <StatusBar node={arch.header.status} onSave={onSave} />}
        <SaveButtons onSave={onSave} />
        <FormPager search={search} />
        <RecordMenu search={search} more={more} />
      </div>
    </div>
  );
}

/** How many buttons fit; 0: not even one beside the labels of all steps. */
function useRoom(bar: RefObject<HTMLElement | null>, buttons: readonly ButtonNode[]): number {
  const most = Math.max(1, buttons.length);
  const names = buttons.map(({ label }) => label).join();
  const [room, setRoom] = useState({ names, most });
  const now = room.names === names ? room.most : most;
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = bar.current ?? {};
    if (scrollWidth > clientWidth && now > 0) setRoom({ names, most: now - 1 });
  });
  useEffect(() => {
    const watch = new ResizeObserver(() => setRoom({ names, most }));
    for (const element of [bar.current, bar.current?.lastElementChild]) if (element) watch.observe(element);
    return () => watch.disconnect();
  }, [bar, names, most]);
  return now;
}

/** Keeps its space while there is nothing to save, and then shows when the record was saved. */
function SaveButtons({ onSave }: { onSave(): Promise<boolean> }) {
  const open = useOpenForm();
  const isChanged = useIsDirty(open);
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const isSaving = useStorePart(open.form, (state) => state.sending !== null);
  const savedAt = useStorePart(open.form, (state) => state.savedAt);
  const count = useStorePart(open.form, (state) => changeCount(state, open.workspace.arch));
  const isPhone = usePhone();
  const isIdle = !isChanged && !isNew;
  if (isIdle && isPhone) return null;
  return (
    <div className="row gap-1 anchor before-2">
      {isIdle && (isSaving || savedAt) && (
        <span className="small dim nowrap pin form-saved">
          {isSaving ? t('Saving …') : t('Saved {time}', { time: formatTime(savedAt) })}
        </span>
      )}
      <span
        className={`small medium nowrap wide-only warn form-changes ${isChanged && !isNew && count > 0 ? '' : 'is-hidden'}`}
      >
        {tn('{n} change', '{n} changes', count)}
      </span>
      <Button kind="bare" className={isChanged ? '' : 'is-hidden'} disabled={isSaving} onClick={() => open.discard()}>
        {t('Discard')}
      </Button>
      <Button
        kind={isIdle ? 'default' : 'primary'}
        className={isIdle ? 'is-hidden' : ''}
        aria-keyshortcuts="Control+S"
        aria-disabled={isSaving}
        onClick={() => void onSave()}
      >
        {t('Save')}
      </Button>
    </div>
  );
}

interface HeaderButtons {
  /** The primary button first. */
  readonly visible: readonly ButtonNode[];
  /** Buttons that are in the menu at any width. */
  readonly seldom: readonly ButtonNode[];
  /** The primary button: the most likely next step. While there are edits to save, Save is primary instead. */
  readonly next: ButtonNode | undefined;
}

export function useHeaderButtons(): HeaderButtons {
  const open = useOpenForm();
  const { buttons } = open.workspace.arch.header;
  const isDirty = useIsDirty(open);
  const shown = useStorePart(open.form, (state) => {
    const record = shownRecord(state);
    return buttons.flatMap((button, index) => (holds(button.invisible, record) ? [] : [index])).join();
  });
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const all = buttons.filter((_button, index) => shown.split(',').includes(String(index)));
  const visible = all.filter(({ menu }) => !menu);
  const first = visible.find(({ primary }) => primary);
  return {
    visible: first ? [first, ...visible.filter((button) => button !== first)] : visible,
    seldom: all.filter(({ menu }) => menu),
    next: isDirty || isNew ? undefined : first,
  };
}

/** The position of the record in the list it was opened from, with links to the previous and next record. */
function FormPager({ search }: { readonly search: SearchState }) {
  const open = useOpenForm();
  const { workspace } = open;
  const { pager } = workspace.arch;
  // On a phone, Save and Discard take its place.
  const [isDirty, isPhone] = [useIsDirty(open), usePhone()];
  const go = (id: number | null | undefined) => {
    if (id) void navigate(recordHref(search, workspace, id), { isReplace: true, keepTrail: true });
  };
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (!event.altKey || (event.key !== 'PageUp' && event.key !== 'PageDown')) return;
      event.preventDefault();
      go(event.key === 'PageUp' ? pager?.previous : pager?.next);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });
  if (!pager || pager.total < 2 || (isDirty && isPhone)) return null;
  const look = (id: number | null) => () => id !== null && prefetchRecord(search, workspace, id);
  return (
    <div className="row nowrap before-2 form-pager">
      <span className="dim num wide-only form-pager-at">
        {t('{n} / {total}', { n: pager.position, total: pager.total })}
      </span>
      <div className="seg" role="group" aria-label={t('Other records')}>
        <button
          type="button"
          aria-label={t('Previous')}
          title={t('Previous')}
          disabled={pager.previous === null}
          onPointerEnter={look(pager.previous)}
          onClick={() => go(pager.previous)}
        >
          <Icon name="chevron-left" />
        </button>
        <button
          type="button"
          aria-label={t('Next')}
          title={t('Next')}
          disabled={pager.next === null}
          onPointerEnter={look(pager.next)}
          onClick={() => go(pager.next)}
        >
          <Icon name="chevron-right" />
        </button>
      </div>
    </div>
  );
}
