import { useEffect, useId, useMemo } from 'react';
import {
  Button,
  colourValue,
  createStore,
  EmptyView,
  formatInteger,
  navigate,
  PanelHost,
  palette,
  paletteNames,
  prefetchForm,
  recall,
  refine,
  type SearchState,
  t,
  tn,
  toHref,
  toQuery,
  useDropUnmatched,
  useStorePart,
  useWorkspaceFrame,
  useWorkspaceIds,
  ViewMenu,
  type ViewProps,
  WorkspaceBar,
  type WorkspacePayload,
} from '../../door/index.ts';
import { BoardColumns } from './board-columns.tsx';
import { Card } from './card.tsx';
import { ChosenBar, ChosenProvider, useChosenCards } from './chosen-cards.tsx';
import { columnSum, exactSum } from './column.tsx';
import { useBoard } from './use-board.ts';
import './styles.css';
import './card.css';

/** Records as cards, in columns grouped by one field, or side by side without one. */
export function KanbanView({ workspace, search, isLoading }: ViewProps) {
  const { arch, listTotal } = workspace;
  const board = useBoard(workspace);
  const chosen = useChosenCards(arch, toQuery(refine(search, {})));
  const ids = useStorePart(chosen?.ids ?? noCards, (all) => all);
  const hintId = useId();
  useEffect(() => prefetchForm(search, workspace), [search, workspace]);
  const isGrouped = arch.kanban?.groupField !== null && board.columns.length > 0;
  const shown = useMemo(
    () => (isGrouped ? board.columns.flatMap((column) => column.ids) : workspace.records.map(({ id }) => Number(id))),
    [isGrouped, board.columns, workspace.records],
  );
  useDropUnmatched(workspace, ids, shown, chosen?.drop ?? keepAll);
  const [sum] = arch.kanban?.sums ?? [];
  const total = sum === undefined ? 0 : (arch.totals?.[sum] ?? 0);
  const summary = (
    <span className="dim digits nowrap kanban-summary">
      {tn('{n} card', '{n} cards', listTotal)}
      {sum !== undefined && ` · ${(arch.money?.[sum] ? columnSum : exactSum)(workspace, sum, total, arch.money)}`}
      {sum !== undefined && arch.moneyIn && ` · ${t('Converted to {code} at stored rates', arch.moneyIn)}`}
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
          actions={<ViewMenu workspace={workspace} search={search} columns={noColumns} />}
        />
      )}
      <StripeLegend workspace={workspace} ids={isGrouped ? board.columns.flatMap((column) => column.ids) : null} />
      {listTotal === 0 && !isGrouped ? (
        <EmptyView workspace={workspace} search={search} />
      ) : isGrouped ? (
        <>
          {listTotal === 0 && <NoCards workspace={workspace} search={search} />}
          <BoardColumns {...{ workspace, search, board, isLoading, hintId }} />
        </>
      ) : (
        <PlainBoard {...{ workspace, search, isLoading }} />
      )}
      <PanelHost />
    </ChosenProvider>
  );
}

interface LegendProps {
  readonly workspace: WorkspacePayload;
  /** Ids of the loaded cards; null: those of the payload. */
  readonly ids: readonly number[] | null;
}

/** Explains the stripes of the cards: assignees or colours, with the number of cards of each. */
function StripeLegend({ workspace: { model, arch, records }, ids }: LegendProps) {
  const name = arch.kanban?.card.color;
  if (!name) return null;
  const shown = ids?.map((id) => recall(model, id)) ?? records;
  const stripes = new Map<string, { readonly colour: string; readonly count: number }>();
  for (const record of shown) {
    const colour = colourValue(record?.[name]);
    if (!record || colour === null) continue;
    const words = String(record[`${name}.display_name`] ?? t(paletteNames[palette.indexOf(colour)] ?? colour));
    stripes.set(words, { colour, count: (stripes.get(words)?.count ?? 0) + 1 });
  }
  if (stripes.size === 0) return null;
  const label = arch.fields.find((field) => field.name === name)?.label ?? t('Colour');
  return (
    <div className="small mut line wrap gap-3 rows-1 pad-t-2 pad-x-4 kanban-legend">
      <span>{label}</span>
      <ul className="line wrap gap-3 rows-1 grow" aria-label={label}>
        {[...stripes].map(([words, { colour, count }]) => (
          <li className="inline-row gap-1h" key={words}>
            <span className="circle inline-block colour-dot" style={{ background: colour }} aria-hidden="true" />
            {words} <span>{formatInteger(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** An empty board keeps its columns; a note above them says why it is empty and what to do. */
function NoCards({ workspace: { arch }, search }: { workspace: WorkspacePayload; search: SearchState }) {
  const isSearched = search.text !== '' || search.domain.length > 0 || (search.filters ?? []).length > 0;
  const clear = () => void navigate(toHref(refine(search, { text: '', domain: [], filters: [] })), { keepTrail: true });
  if (isSearched) {
    return (
      <div className="row wrap mut pad-3-4 gap-4 rows-2 kanban-empty" role="status">
        <p>{t('No records in {title} match your search.', { title: arch.title })}</p>
        <Button icon="x" onClick={clear}>
          {t('Clear search')}
        </Button>
      </div>
    );
  }
  return (
    <div className="row wrap mut pad-3-4 gap-4 rows-2 kanban-empty" role="status">
      {arch.help ? (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised by the server.
        <div dangerouslySetInnerHTML={{ __html: arch.help }} />
      ) : (
        <p>{t('Records that you create appear here.')}</p>
      )}
      {arch.rights.create && arch.kanban?.quickCreate && <p>{t('Use the plus button of a column to add a card.')}</p>}
    </div>
  );
}

const noColumns: readonly { readonly name: string }[] = [];
const keepAll = () => {};
const noCards = createStore<ReadonlySet<number>>(new Set());

interface PlainBoardProps {
  readonly workspace: WorkspacePayload;
  readonly search: SearchState;
  readonly isLoading: boolean;
}

/** Cards without columns: products, contacts, teams. */
function PlainBoard({ workspace, search, isLoading }: PlainBoardProps) {
  const { arch, listTotal, listOffset } = workspace;
  const frame = useWorkspaceFrame(workspace);
  const { ids, seeEnd } = useWorkspaceIds(workspace);
  const left = listTotal - listOffset - ids.length;
  return (
    <div className={`fill scroll pad-4 canvas kanban-plain ${isLoading ? 'is-stale' : ''}`}>
      <ul className="stack gap-3" aria-label={arch.title}>
        {ids.map((id) => (
          <li key={id}>
            <Card {...{ search, id }} workspace={frame} isLifted={false} />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <div className="middle kanban-more">
          <Button onClick={seeEnd}>{tn('{n} more', '{n} more', left)}</Button>
        </div>
      )}
      <span className="sr-only">{t('End of cards')}</span>
    </div>
  );
}
