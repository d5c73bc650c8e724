import type { WorkspacePayload } from '@kontor/protocol';
import { retryWorkspace, useWorkspace } from '../../data/workspace.ts';
import { t } from '../../i18n/messages.ts';
import { emptySearch, workspaceQuery } from '../../search/search-state.ts';
import { TileFrame } from './tile.tsx';
import { BoardSkeleton, TileFailure } from './tile-states.tsx';
import './styles.css';

/** The board with that id. It keeps itself up to date: a change by anyone is on it within a second. */
export function Board({ id }: { readonly id: number }) {
  const query = workspaceQuery({ ...emptySearch, model: 'sys.board', viewType: 'form', recordId: id });
  const { payload, error } = useWorkspace(query);
  if (error) return <TileFailure message={error.message} onRetry={() => retryWorkspace(query)} />;
  if (!payload?.arch.board || payload.recordId !== id) return <BoardSkeleton />;
  return <BoardTiles workspace={payload} />;
}

/** The tiles that came with the form of a board. */
export function BoardTiles({ workspace }: { readonly workspace: WorkspacePayload }) {
  const tiles = workspace.arch.board?.tiles ?? [];
  if (tiles.length === 0) {
    return (
      <p className="board-empty">
        {t('No tiles yet. Open a list, a graph or a calendar and choose “Add to a board” in its … menu.')}
      </p>
    );
  }
  return (
    <div className="board-grid">
      {tiles.map((tile) => (
        <TileFrame key={tile.id} tile={tile} />
      ))}
    </div>
  );
}
