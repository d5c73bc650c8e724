import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import {
  busy,
  createStore,
  EmptyView,
  formatInteger,
  IconButton,
  lazyComponent,
  navigate,
  PanelHost,
  prefetchForm,
  refine,
  type Store,
  t,
  tn,
  toHref,
  toQuery,
  useGo,
  useKept,
  usePhone,
  useWorkspaceFrame,
  ViewMenu,
  type ViewMenuProps,
  type ViewProps,
  WorkspaceBar,
  whenIdle,
} from '../../door/index.ts';
import { useColumns } from '../table/columns.ts';
import { type EditedCell, ListProvider, RowsProvider, useListActions } from './list-context.ts';
import { useHeldRows } from './rows.ts';
import { Table } from './table.tsx';
import { useActiveCell } from './use-active-cell.ts';
import { useGroups } from './use-groups.ts';
import { usePages } from './use-pages.ts';
import { useSelection } from './use-selection.ts';
import '../table/styles.css';

const { Component: Cards } = lazyComponent(async () => (await import('./cards.tsx')).Cards);
const rowMenu = lazyComponent(async () => (await import('./row-menu.tsx')).RowMenu);
const selectionBar = lazyComponent(
  async () => (await import('./selection-bar.tsx')).SelectionBar,
  <div className="bar tinted list-selected" />,
);
const { Component: DraftRow } = lazyComponent(async () => (await import('./draft-row.tsx')).DraftRow);

export function ListView({ workspace, search, isLoading }: ViewProps) {
  const { arch, listTotal } = workspace;
  const placeKey = toQuery(refine(search, {}));
  const isGrouped = (arch.groupBy?.length ?? 0) > 0;
  const pages = usePages(workspace, !isGrouped);
  const groups = useGroups(workspace, placeKey);
  const frame = useWorkspaceFrame(workspace);
  const columns = useColumns({ ...frame.arch, key: frame.arch.key ?? frame.arch.model, choice: frame.arch.columns });
  const active = useActiveCell(placeKey);
  const [editing, setEditing] = useState<EditedCell | null>(null);
  const rows = useHeldRows(isGrouped ? groups : pages, editing !== null);
  const selection = useSelection(placeKey, workspace, rows.ids);
  const [menu, setMenu] = useState<{ id: number; anchor: HTMLElement } | null>(null);
  const [drafts, setDrafts] = useState(0);
  const isDrafting = drafts > 0;
  const [range] = useState(() => createStore({ first: 0, last: 0 }));
  const isPhone = usePhone();
  const go = useGo();
  const state = { workspace, search, go, rows, columns, selection, active, editing, setEditing, setMenu };
  const actions = useListActions(state);
  const hasSelection = selection.ids.size > 0;
  const content = useMemo(
    () => ({ workspace, search, columns: columns.shown, hasSelection, actions }),
    [workspace, search, columns.shown, hasSelection, actions],
  );
  const ofRows = useMemo(
    () => ({ workspace: frame, search, columns: columns.shown, actions }),
    [frame, search, columns.shown, actions],
  );
  const onRange = useCallback((first: number, last: number) => range.set({ first, last }), [range]);
  useEffect(() => prefetchForm(search, workspace), [search, workspace]);
  useEffect(preloadParts, []);
  const endDraft = useCallback(() => setDrafts(0), []);
  const draft = isDrafting && <DraftRow asked={drafts} onClose={endDraft} />;
  const canDraft = arch.list?.editable !== undefined && !isPhone;
  const onNew = useMemo(() => (canDraft ? () => setDrafts((count) => count + 1) : undefined), [canDraft]);
  const { toggleGroup } = rows;
  const folds = useKept(rows.groups);
  return (
    <ListProvider value={content}>
      {hasSelection ? (
        <selectionBar.Component selection={selection} columns={columns.shown} />
      ) : (
        <ListBar {...{ workspace, search, range, onNew, toggleGroup }} columns={columns.shown} groups={folds} />
      )}
      <RowsProvider value={ofRows}>
        {listTotal === 0 && !isDrafting ? (
          <EmptyView workspace={workspace} search={search} />
        ) : isPhone ? (
          <Cards rows={rows} selection={selection} onRange={onRange} />
        ) : (
          <Table {...{ rows, columns, selection, editing, active, placeKey, isLoading, onRange, draft }} />
        )}
      </RowsProvider>
      {go === navigate && <PanelHost />}
      {menu && <rowMenu.Component key={menu.id} {...menu} onClose={() => setMenu(null)} />}
    </ListProvider>
  );
}

interface ListBarProps extends ViewMenuProps {
  readonly search: ViewProps['search'];
  readonly range: PagerProps['range'];
  readonly onNew: (() => void) | undefined;
}

/** Memoised, so that arriving pages do not render it again. */
const ListBar = memo(function ListBar({ workspace, search, range, onNew, ...menu }: ListBarProps) {
  const { arch, listTotal } = workspace;
  const go = useGo();
  const page = (offset: number) => void go(toHref({ ...search, offset }), { isReplace: true, keepTrail: true });
  return (
    <WorkspaceBar
      workspace={workspace}
      search={search}
      {...(onNew ? { onNew } : {})}
      summary={
        arch.groupBy?.length ? (
          <span className="inline-row gap-1 dim nowrap digits pager">
            {tn('{n} record', '{n} records', listTotal, { n: formatInteger(listTotal) })}
          </span>
        ) : (
          <Pager range={range} total={listTotal} onPage={page} />
        )
      }
      actions={<ViewMenu workspace={workspace} search={search} {...menu} />}
    />
  );
});

let isPreloaded = false;

/** Loads what the first click may need, once the rows are there. */
function preloadParts(): void {
  if (isPreloaded) return;
  isPreloaded = true;
  const done = busy();
  const preload = () => {
    selectionBar.preload();
    rowMenu.preload();
    // A form opened from memory while offline needs its menu.
    import('../form/record-menu.tsx').catch(() => {}).finally(done);
  };
  whenIdle(preload);
}

interface PagerProps {
  readonly range: Store<{ readonly first: number; readonly last: number }>;
  readonly total: number;
  readonly onPage: (offset: number) => void;
}

/** The range of visible rows, the total, and buttons for the previous and next page. */
function Pager({ range, total, onPage }: PagerProps) {
  const [{ first, last }, setRange] = useState(range.get);
  // Before the table reports its rows, so that the first frame has them.
  useLayoutEffect(() => {
    const follow = () => setRange(range.get());
    follow();
    return range.subscribe(follow);
  }, [range]);
  const size = Math.max(1, last - first);
  if (total === 0) return null;
  return (
    <span className="inline-row gap-1 dim nowrap digits pager">
      <span>
        {t('{first}–{last} of {total}', {
          first: formatInteger(first + 1),
          last: formatInteger(Math.min(last + 1, total)),
          total: formatInteger(total),
        })}
      </span>
      {size + 1 < total && (
        <>
          <IconButton
            icon="chevron-left"
            label={t('Previous page')}
            disabled={first === 0}
            onClick={() => onPage(Math.max(0, first - size))}
          />
          <IconButton
            icon="chevron-right"
            label={t('Next page')}
            disabled={last + 1 >= total}
            onClick={() => onPage(Math.min(total - 1, first + size))}
          />
        </>
      )}
    </span>
  );
}
