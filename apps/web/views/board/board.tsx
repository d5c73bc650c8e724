import { type ReactNode, useState } from 'react';
import {
  Button,
  copyRecord,
  emptySearch,
  lazyComponent,
  retryWorkspace,
  t,
  useWorkspace,
  type WorkspacePayload,
  workspaceQuery,
} from '../../door/index.ts';
import { TileFrame } from './tile.tsx';
import { BoardSkeleton, TileFailure } from './tile-states.tsx';
import './styles.css';
import './tile-lines.css';

const { Component: ArrangedTiles } = lazyComponent<{ readonly workspace: WorkspacePayload }>(
  async () => (await import('./arranged-tiles.tsx')).ArrangedTiles,
);

interface BoardProps {
  readonly id: number;
  /** Shown above the tiles, before the button that edits the board: its name, or a choice of boards. */
  readonly head?: ReactNode;
}

/** The board with the given id. Changes by anyone appear within a second. */
export function Board({ id, head }: BoardProps) {
  const query = workspaceQuery({ ...emptySearch, model: 'sys.board', viewType: 'form', recordId: id });
  const { payload, error } = useWorkspace(query);
  if (error || !payload?.arch.board || payload.recordId !== id) {
    return (
      <div className="column gap-2 shrink board">
        <header className="row apart target">{head}</header>
        {error ? <TileFailure message={error.message} onRetry={() => retryWorkspace(query)} /> : <BoardSkeleton />}
      </div>
    );
  }
  return <BoardTiles key={id} workspace={payload} head={head} />;
}

interface BoardTilesProps {
  readonly workspace: WorkspacePayload;
  readonly head?: ReactNode;
}

/** The tiles that were loaded with the form of a board. Users who may not edit it can copy it. */
export function BoardTiles({ workspace, head }: BoardTilesProps) {
  const [isArranging, setArranging] = useState(false);
  const { board } = workspace.arch;
  if (!board) return null;
  const { tiles, isOwn } = board;
  return (
    <div className="column gap-2 shrink board">
      <header className="row apart target">
        <div>{head}</div>
        {isOwn && tiles.length > 0 && (
          <Button
            kind={isArranging ? 'primary' : 'bare'}
            icon={isArranging ? 'check' : 'pencil'}
            aria-pressed={isArranging}
            onClick={() => setArranging(!isArranging)}
          >
            {isArranging ? t('Done') : t('Edit board')}
          </Button>
        )}
        {!isOwn && (
          <Button kind="bare" icon="copy" onClick={() => copyRecord('sys.board', workspace.recordId)}>
            {t('Create my own copy')}
          </Button>
        )}
      </header>
      {tiles.length === 0 ? (
        <p className="mut centred round-l pad-5 dashed">
          {t('No tiles yet. Open a list, a graph or a calendar and choose “Add to a board” in its … menu.')}
        </p>
      ) : isArranging ? (
        <ArrangedTiles workspace={workspace} />
      ) : (
        <div className="stack gap-4 board-grid">
          {tiles.map((tile) => (
            <TileFrame key={tile.id} tile={tile} />
          ))}
        </div>
      )}
    </div>
  );
}
