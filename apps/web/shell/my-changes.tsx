import { useCallback, useEffect, useState } from 'react';
import { onCatchUp } from '../data/bus.ts';
import { type MadeChange, madeChanges } from '../data/change-history.ts';
import { showError } from '../data/changes.ts';
import { formatRelative } from '../i18n/dates.ts';
import { t, tn } from '../i18n/messages.ts';
import { navigate } from '../navigation/router.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { undoOrRedo, wordsOf } from './undo-change.ts';
import './my-changes.css';

/** All changes of the user, on any device, newest first, each with Undo or Redo. */
export function MyChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const [changes, setChanges] = useState<readonly MadeChange[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const load = useCallback(() => madeChanges().then(setChanges, showError), []);
  useEffect(() => {
    void load();
    return onCatchUp(() => void load());
  }, [load]);
  const turn = async (change: MadeChange) => {
    setBusy(true);
    await undoOrRedo(change);
    await load();
    setBusy(false);
  };
  return (
    <Dialog
      title={t('My changes')}
      width={560}
      onClose={onClose}
      footer={
        <Button
          kind="bare"
          onClick={() => {
            onClose();
            void navigate('/web/proposals');
          }}
        >
          {t('Proposed changes')}
        </Button>
      }
    >
      {changes?.length === 0 && <p className="dim">{t('You have no changes to undo yet.')}</p>}
      <ul className="my-changes" aria-busy={changes === null}>
        {changes?.map((change) => (
          <ChangeRow key={change.id} change={change} isBusy={isBusy} onTurn={() => void turn(change)} />
        ))}
      </ul>
    </Dialog>
  );
}

interface RowProps {
  readonly change: MadeChange;
  readonly isBusy: boolean;
  onTurn(): void;
}

function ChangeRow({ change, isBusy, onTurn }: RowProps) {
  const words = wordsOf(change);
  const isUndone = change.undoneAt !== null;
  const about = aboutOf(change);
  const label = isUndone ? t('Redo') : t('Undo');
  return (
    <li
      className={
        isUndone
          ? 'stack gap-3 lined last-bare level pad-y-1h my-change my-change-undone'
          : 'stack gap-3 lined last-bare level pad-y-1h my-change'
      }
    >
      <span className="break my-change-words">
        {words}
        {about && <span className="small dim cut cut-wide block">{about}</span>}
      </span>
      <span className="small dim nowrap">{formatRelative(change.at)}</span>
      <Button disabled={isBusy} aria-label={t('{action}: {name}', { action: label, name: words })} onClick={onTurn}>
        {label}
      </Button>
    </li>
  );
}

/** The fields of a change, the number of changes of a task, and the agent that made them. */
function aboutOf({ words, agent, task, next, fields }: MadeChange): string {
  if (words) return '';
  if (task) return tn('{n} change', '{n} changes', next.length);
  return [...(agent ? [t('by {agent}', { agent })] : []), ...fields].join(', ');
}
