import type { HomeBoards } from '@kontor/protocol';
import { type ReactNode, useState } from 'react';
import { saveSetting } from '../../data/settings.ts';
import { t } from '../../i18n/messages.ts';
import { lazyComponent } from '../../state/lazy.tsx';

const { Component: Board } = lazyComponent<{ readonly id: number; readonly head: ReactNode }>(
  async () => (await import('../../views/board/board.tsx')).Board,
);

/** The board that the user chose, below their day. */
export function HomeBoard({ boards, shown }: HomeBoards) {
  const [chosen, setChosen] = useState(shown);
  const known = boards.find(({ id }) => id === chosen) ?? boards.find(({ id }) => id === shown);
  if (!known) return null;
  const choose = (id: number) => {
    setChosen(id);
    saveSetting('home.board', id, { delay: 0 });
  };
  const head = (
    <select
      className="mut round target-high no-border bare hovers home-board-pick"
      aria-label={t('Board')}
      value={known.id}
      onChange={(event) => choose(Number(event.target.value))}
    >
      {boards.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <section className="stack shrink home-board" aria-labelledby="home-board">
      <h2 id="home-board" className="sr-only">
        {known.name}
      </h2>
      <Board key={known.id} id={known.id} head={head} />
    </section>
  );
}
