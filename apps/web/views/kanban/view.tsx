import { useEffect, useId } from 'react';
import { tn } from '../../i18n/messages.ts';
import { effectiveFilters } from '../../search/effective-search.ts';
import { refine, toQuery } from '../../search/search-state.ts';
import { createStore, useStorePart } from '../../state/store.ts';
import type { ViewProps } from '../define-view.ts';
import { PanelHost } from '../form/panel-host.tsx';
import type { Column } from '../list/columns.ts';
import { EmptyView } from '../list/empty.tsx';
import { ListMenu } from '../list/list-menu.tsx';
import { prefetchForm } from '../list/prefetch-form.ts';
import { WorkspaceBar } from '../workspace-bar.tsx';
import { BoardColumns } from './board-columns.tsx';
import { ChosenBar } from './chosen-bar.tsx';
import { ChosenProvider, useChosenCards } from './chosen-cards.ts';
import { columnSum, exactSum } from './column-sum.ts';
import { PlainBoard } from './plain-board.tsx';
import './styles.css';
import './card.css';
import { useBoard } from './use-board.ts';

/** Records as cards, in columns by one field or, without one, side by side. */
export function KanbanView({ workspace, search, isLoading }: ViewProps) {
  const { arch, listTotal } = workspace;
  const board = useBoard(workspace);
  const chosen = useChosenCards(arch, toQuery(refine(search, {})));
  const ids = useStorePart(chosen?.ids ?? noCards, (all) => all);
  const hintId = useId();
  useEffect(() => prefetchForm(search, workspace), [search, workspace]);
  const isGrouped = arch.kanban?.groupField !== null && board.columns.length > 0;
  const isSearched = search.text !== '' || search.domain.length > 0 || effectiveFilters(workspace, search).length > 0;
  const [sum] = arch.kanban?.sums ?? [];
  const total = sum === undefined ? 0 : board.columns.reduce((all, column) => all + Number(column.sums[sum] ?? 0), 0);
  const summary = (
    <span className="kanban-summary">
      {tn('{n} card', '{n} cards', listTotal)}
      {sum !== undefined && (
        <span className="kanban-summary-sum">{` · ${(arch.money?.[sum] ? columnSum : exactSum)(workspace, sum, total, arch.money)}`}</span>
      )}
    </span>
  );
  return (
    <ChosenProvider value={chosen}>
      {chosen && ids.size > 0 ? (
        <ChosenBar workspace={workspace} ids={[...ids]} onClear={chosen.clear} />
      ) : (
        <WorkspaceBar
          workspace={workspace}
          search={search}
          summary={listTotal > 0 && summary}
          actions={<ListMenu workspace={workspace} columns={noColumns} />}
        />
      )}
      {listTotal === 0 && (isSearched || !isGrouped) ? (
        <EmptyView workspace={workspace} search={search} />
      ) : isGrouped ? (
        <BoardColumns {...{ workspace, search, board, isLoading, hintId }} />
      ) : (
        <PlainBoard {...{ workspace, search, isLoading }} />
      )}
      <PanelHost />
    </ChosenProvider>
  );
}

const noColumns: readonly Column[] = [];
const noCards = createStore<ReadonlySet<number>>(new Set());
