import type { ButtonNode, RecordRef } from '@kontor/protocol';
import { useEffect } from 'react';
import { holds } from '../../data/conditions.ts';
import { shownRecord } from '../../data/form/form-state.ts';
import { t } from '../../i18n/messages.ts';
import { navigate } from '../../navigation/router.ts';
import type { SearchState } from '../../search/search-state.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { useStorePart } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { usePhone } from '../../ui/use-phone.ts';
import { prefetchRecord, recordHref } from '../open-record.ts';
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

export function HeaderBar({ search, onSave }: HeaderBarProps) {
  const open = useOpenForm();
  const { arch, model, recordId } = open.workspace;
  const { inBar, inMenu, next } = useHeaderButtons();
  const { isRunning, press } = useButtonRun({ onSave });
  const more = inMenu.map((button, index) => ({
    key: `button-${button.name}-${index}`,
    label: button.label,
    icon: button.icon,
    isDanger: button.danger === true,
    isDisabled: isRunning,
    run: () => press(button),
  }));
  return (
    <div className="bar form-bar">
      {inBar.length > 0 && (
        <div className="form-actions">
          {inBar.map((button, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one action may have several buttons, each for its own state.
            <ActionButton key={`${button.name}-${index}`} button={button} isPlain={button !== next} onSave={onSave} />
          ))}
        </div>
      )}
      <div className="bar-end">
        <Presence model={model} id={recordId} />
        {arch.header.status && <StatusBar node={arch.header.status} onSave={onSave} />}
        <SaveButtons onSave={onSave} />
        <FormPager search={search} />
        <RecordMenu search={search} more={more} />
      </div>
    </div>
  );
}

/** Their place is kept while there is nothing to save, so that they push nothing aside. */
function SaveButtons({ onSave }: { onSave(): Promise<boolean> }) {
  const open = useOpenForm();
  const isChanged = useIsDirty(open);
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const isSaving = useStorePart(open.form, (state) => state.isSaving);
  const isPhone = usePhone();
  const isIdle = !isChanged && !isNew;
  if (isIdle && isPhone) return null;
  return (
    <div className="form-save">
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
  readonly inBar: readonly ButtonNode[];
  readonly inMenu: readonly ButtonNode[];
  /** The one that is filled: what most people do next. While there is something to save, that is Save. */
  readonly next: ButtonNode | undefined;
}

/** On a phone the bar has room for the button that matters most, and for none while there is something to save. */
function useHeaderButtons(): HeaderButtons {
  const open = useOpenForm();
  const { buttons } = open.workspace.arch.header;
  const isPhone = usePhone();
  const isDirty = useIsDirty(open);
  const shown = useStorePart(open.form, (state) => {
    const record = shownRecord(state);
    return buttons.flatMap((button, index) => (holds(button.invisible, record) ? [] : [index])).join();
  });
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const visible = buttons.filter((_button, index) => shown.split(',').includes(String(index)));
  const next = isDirty || isNew ? undefined : visible.find(({ primary }) => primary);
  if (!isPhone) return { inBar: visible, inMenu: [], next };
  const first = next ?? (isDirty || isNew ? undefined : visible[0]);
  return { inBar: first ? [first] : [], inMenu: visible.filter((button) => button !== first), next };
}

/** Where the record stands in the list it came from, and the ones beside it. */
function FormPager({ search }: { readonly search: SearchState }) {
  const open = useOpenForm();
  const { workspace } = open;
  const { pager } = workspace.arch;
  // On a phone Save and Discard take its place.
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
    <div className="form-pager">
      <span className="dim num form-pager-at">{t('{n} / {total}', { n: pager.position, total: pager.total })}</span>
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
