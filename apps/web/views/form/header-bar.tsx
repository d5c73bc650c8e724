import type { RecordRef } from '@kontor/protocol';
import { t } from '../../i18n/messages.ts';
import type { SearchState } from '../../search/search-state.ts';
import { lazyComponent } from '../../state/lazy.tsx';
import { useStorePart } from '../../state/store.ts';
import { Button } from '../../ui/button.tsx';
import { ActionButton } from './action-button.tsx';
import { useOpenForm } from './form-context.ts';
import { FormPager } from './form-pager.tsx';
import { RecordMenu } from './record-menu.tsx';
import { StatusBar } from './status-bar.tsx';
import { useButtonRun } from './use-button-run.tsx';
import { useIsDirty } from './use-form.ts';
import { useHeaderButtons } from './use-header-buttons.ts';

const { Component: Presence } = lazyComponent<RecordRef>(async () => (await import('./presence.tsx')).Presence);

interface HeaderBarProps {
  readonly search: SearchState;
  onSave(): Promise<boolean>;
}

export function HeaderBar({ search, onSave }: HeaderBarProps) {
  const open = useOpenForm();
  const { arch, model, recordId } = open.workspace;
  const { inBar, inMenu } = useHeaderButtons();
  const { isRunning, press, question } = useButtonRun({ onSave });
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
      <SaveButtons onSave={onSave} />
      {inBar.length > 0 && (
        <div className="form-actions">
          {inBar.map((button, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one action may have several buttons, each for its own state.
            <ActionButton key={`${button.name}-${index}`} button={button} onSave={onSave} />
          ))}
        </div>
      )}
      <div className="bar-end">
        <Presence model={model} id={recordId} />
        {arch.header.status && <StatusBar node={arch.header.status} onSave={onSave} />}
        <FormPager search={search} />
        <RecordMenu search={search} more={more} />
      </div>
      {question}
    </div>
  );
}

function SaveButtons({ onSave }: { onSave(): Promise<boolean> }) {
  const open = useOpenForm();
  const isChanged = useIsDirty(open);
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const isSaving = useStorePart(open.form, (state) => state.isSaving);
  if (!isChanged && !isNew) return null;
  return (
    <>
      <Button kind="primary" aria-keyshortcuts="Control+S" aria-disabled={isSaving} onClick={() => void onSave()}>
        {t('Save')}
      </Button>
      {isChanged && (
        <Button kind="bare" disabled={isSaving} onClick={() => open.discard()}>
          {t('Discard')}
        </Button>
      )}
    </>
  );
}
