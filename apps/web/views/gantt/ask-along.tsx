import { Button, Dialog, type Entry, spanText, t, tn } from '../../door/index.ts';
import type { EntryMove } from './dependencies.ts';

export interface AlongQuestion {
  readonly move: EntryMove;
  readonly followers: readonly Entry[];
}

interface AskAlongProps extends AlongQuestion {
  readonly onAnswer: (answer: 'along' | 'alone' | null) => void;
}

/** A bar moves that others wait for: do they move along? */
export function AskAlong({ move, followers, onAnswer }: AskAlongProps) {
  const { entry, span } = move;
  return (
    <Dialog
      title={t('Move {name}', { name: entry.title })}
      width={440}
      onClose={() => onAnswer(null)}
      footer={
        <>
          <Button kind="primary" autoFocus onClick={() => onAnswer('along')}>
            {t('Move along')}
          </Button>
          <Button onClick={() => onAnswer('alone')}>{t('Only this one')}</Button>
          <Button kind="bare" onClick={() => onAnswer(null)}>
            {t('Cancel')}
          </Button>
        </>
      }
    >
      <p>{spanText(span)}</p>
      <p>
        {tn(
          '{n} entry depends on it. Move it by the same amount?',
          '{n} entries depend on it. Move them by the same amount?',
          followers.length,
        )}
      </p>
      <ul className="gantt-along">
        {followers.slice(0, 8).map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
        {followers.length > 8 && <li>{tn('{n} more', '{n} more', followers.length - 8)}</li>}
      </ul>
    </Dialog>
  );
}
