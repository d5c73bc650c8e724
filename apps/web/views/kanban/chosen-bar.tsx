import type { WorkspacePayload } from '@kontor/protocol';
import { useEffect } from 'react';
import { t, tn } from '../../i18n/messages.ts';
import { isTyping } from '../../navigation/keys.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { openExport } from '../export/open-export.ts';
import { archiveRecords, removeRecords } from '../list/record-actions.ts';
import { SelectionButtons } from '../selection-buttons.tsx';

interface ChosenBarProps {
  readonly workspace: WorkspacePayload;
  readonly ids: readonly number[];
  readonly onClear: () => void;
}

/** What can be done with the cards that are chosen, in place of the bar. */
export function ChosenBar({ workspace, ids, onClear }: ChosenBarProps) {
  const { arch, model } = workspace;
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event)) return;
      if (!document.querySelector('dialog[open]')) onClear();
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  }, [onClear]);
  const run = (change: typeof removeRecords) => () => {
    change(workspace, ids);
    onClear();
  };
  return (
    <div className="bar kanban-chosen" role="toolbar" aria-label={t('Selection')}>
      <h1 className="sr-only">{arch.title}</h1>
      <IconButton icon="x" label={t('Clear the selection')} onClick={onClear} />
      <b role="status">{tn('{n} selected', '{n} selected', ids.length)}</b>
      <div className="bar-end">
        <SelectionButtons model={model} ids={ids} buttons={arch.header.buttons} />
        {arch.rights.write && arch.hasActive && (
          <Button icon="archive" onClick={run(archiveRecords)}>
            {t('Archive')}
          </Button>
        )}
        <Button icon="download" onClick={() => openExport(workspace, [], ids)}>
          {t('Export')}
        </Button>
        {arch.rights.unlink && (
          <Button icon="trash-2" onClick={run(removeRecords)}>
            {t('Delete')}
          </Button>
        )}
      </div>
    </div>
  );
}
