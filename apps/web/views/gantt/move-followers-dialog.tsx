import { Button, Dialog, spanText, t, tn } from '../../door/index.ts';
import type { EntryMove } from './dependencies.ts';

export interface FollowersQuestion {
  readonly move: EntryMove;
  /** The entries that would begin too early, and their new dates. */
  readonly followers: readonly EntryMove[];
}

interface MoveFollowersProps extends FollowersQuestion {
  readonly onAnswer: (answer: 'along' | 'alone' | null) => void;
}

/** Asks whether the entries that depend on a moved bar should move with it. */
export function MoveFollowersDialog({ move, followers, onAnswer }: MoveFollowersProps) {
  const { entry, span } = move;
  return (
    <Dialog
      title={t('Move {name}', { name: entry.title })}
      width={440}
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button onClick={() => onAnswer(null)}>{t('Cancel')}</Button>
          <Button onClick={() => onAnswer('alone')}>{t('Only this one')}</Button>
          <Button kind="primary" onClick={() => onAnswer('along')}>
            {t('Move along')}
          </Button>
        </>
      }
    >
      <p>{spanText(span)}</p>
      <p>
        {tn(
          '{n} entry depends on it and would begin too early. Move it to the next working time?',
          '{n} entries depend on it and would begin too early. Move them to the next working time?',
          followers.length,
        )}
      </p>
      <ul className="below-2">
        {followers.slice(0, 8).map(({ entry: one, span: place }) => (
          <li key={one.id}>{`${one.title}: ${spanText(place)}`}</li>
        ))}
        {followers.length > 8 && <li>{tn('{n} more', '{n} more', followers.length - 8)}</li>}
      </ul>
    </Dialog>
  );
}
