import { useEffect, useState } from 'react';
import { type MadeChange, madeChanges } from '../data/change-history.ts';
import { formatRelative } from '../i18n/dates.ts';
import { t } from '../i18n/messages.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { turnChange, wordsOf } from './undo-change.ts';
import './my-changes.css';

/** All that the person changed in this browser, the newest first, each to be taken back or done again. */
export function MyChangesDialog({ onClose }: { readonly onClose: () => void }) {
  const [changes, setChanges] = useState(madeChanges);
  const [isBusy, setBusy] = useState(false);
  const turn = async (change: MadeChange) => {
    setBusy(true);
    await turnChange(change);
    setChanges(madeChanges());
    setBusy(false);
  };
  return (
    <Dialog title={t('My changes')} width={560} onClose={onClose}>
      {changes.length === 0 && <p className="dim">{t('Nothing has been changed here yet.')}</p>}
      <ul className="my-changes">
        {changes.toReversed().map((change) => (
          <ChangeRow key={change.at} change={change} isBusy={isBusy} onTurn={() => void turn(change)} />
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
  const [words, setWords] = useState(change.words ?? '');
  const isUndone = change.undoneAt > 0;
  useEffect(() => {
    void wordsOf(change).then(setWords);
  }, [change]);
  const label = isUndone ? t('Redo') : t('Undo');
  return (
    <li className={isUndone ? 'my-change my-change-undone' : 'my-change'}>
      <span className="my-change-words">{words}</span>
      <span className="dim">{formatRelative(new Date(change.at).toISOString())}</span>
      <Button disabled={isBusy} aria-label={t('{action}: {name}', { action: label, name: words })} onClick={onTurn}>
        {label}
      </Button>
    </li>
  );
}
