import { type MouseEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  Dialog,
  ErrorScreen,
  emptySearch,
  GoProvider,
  Icon,
  type ListColumn,
  navigate,
  newName,
  openPanel,
  type Panel,
  panels,
  parseSearch,
  recall,
  retryWorkspace,
  type SearchState,
  t,
  toHref,
  toQuery,
  trailFromHere,
  useWorkspace,
  viewOf,
  type WorkspacePayload,
  WorkspaceSkeleton,
  whileBusy,
  workspaceQuery,
} from '../../door/index.ts';
import './beside-list.css';

/** The width of a related list, and of a record opened in its place. */
export const besideWidth = 860;

const besideTypes = new Set(['', 'list', 'kanban', 'calendar', 'gantt']);

/**
 * Shows the records of an address beside the form. False if the address is something else, such as a pivot or a file.
 */
export function openBeside(href: string, title: string, onClosed: () => void): boolean {
  const { origin, pathname, searchParams: query } = new URL(href, location.href);
  if (origin !== location.origin || pathname !== '/web' || query.has('target')) return false;
  const type = query.get('view_type') ?? (query.has('id') ? 'form' : '');
  if (type === 'form' && query.has('id')) {
    openPanel({ kind: 'record', query: query.toString(), title, defaults: {}, onSaved: onClosed });
    return true;
  }
  if (!besideTypes.has(type)) return false;
  openPanel({ kind: 'list', title, href, onClosed });
  return true;
}

/** Closes the topmost list beside the form, and the records opened in its place. */
export function closeBeside(): void {
  panels.set((now) =>
    now.slice(
      0,
      now.findLastIndex(({ kind }) => kind === 'list'),
    ),
  );
}

interface BesideListProps {
  readonly panel: Extract<Panel, { kind: 'list' }>;
  onClose(): void;
}

/**
 * Related records beside the form: the list of their screen, with its own search. Records open in place of the list.
 */
export function BesideList({ panel, onClose }: BesideListProps) {
  const [start] = useState(() => parseSearch(new URL(panel.href, location.href).search.slice(1)));
  const [search, setSearch] = useState<SearchState>({ ...start, viewType: 'list' });
  const query = workspaceQuery(search);
  const { payload, error, isLoading, isPartial } = useWorkspace(query);
  const body = useRef<HTMLDivElement>(null);
  const workspace = useMemo(() => (payload ? listOnly(payload) : null), [payload]);
  const isShown = workspace !== null;
  const shown = useRef(workspace);
  shown.current = workspace;
  const go = useCallback<typeof navigate>(async (href) => {
    const next = parseSearch(new URL(href, location.href).search.slice(1));
    if (next.viewType === 'form') openInPlace(next, shown.current);
    else setSearch(next);
  }, []);
  useEffect(() => panel.onClosed, [panel]);
  useEffect(() => {
    if (isShown) void whileBusy(focusFirst(body));
  }, [isShown]);
  const { Component } = viewOf('list');
  return (
    <Dialog
      title={panel.title}
      place="side"
      width={besideWidth}
      onClose={onClose}
      actions={<WholeScreen href={toHref({ ...search, viewType: start.viewType })} />}
    >
      <div ref={body} role="presentation" className="column grow least-0 beside" onClick={closeForLink}>
        <GoProvider value={go}>
          {workspace ? (
            <Component workspace={workspace} search={search} isLoading={isLoading} isPartial={isPartial} />
          ) : error ? (
            <ErrorScreen error={error} retry={() => retryWorkspace(query)} />
          ) : (
            <WorkspaceSkeleton type="list" />
          )}
        </GoProvider>
      </div>
    </Dialog>
  );
}

/**
 * Focuses the first row, once the table has measured how many it renders, or the button that creates the first record.
 */
async function focusFirst(body: RefObject<HTMLElement | null>): Promise<void> {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await frame();
  await frame();
  const find = (selector: string) => body.current?.querySelector<HTMLElement>(selector);
  const first = find('[data-row] [data-col], .list-card a') ?? find('.btn-primary');
  if (!document.activeElement?.closest('.beside')) first?.focus();
}

const mostColumns = 6;

/**
 * Offers no other views, removes the column that repeats the parent record, and hides optional columns that do not fit.
 */
function listOnly(payload: WorkspacePayload): WorkspacePayload {
  const { arch, records } = payload;
  const { list } = arch;
  if (!list) return payload;
  const asked = new Set((arch.domain ?? []).flatMap((one) => (Array.isArray(one) ? [String(one[0])] : [])));
  const isSame = ({ name }: ListColumn) => records.every((record) => record[name] === records[0]?.[name]);
  const shown = list.columns.filter((column, at) => at === 0 || !asked.has(column.name) || !isSame(column));
  const isWide = ({ invisible, optional }: ListColumn) => invisible !== true && optional !== 'hide';
  const spare = shown.filter(({ optional }) => optional === 'show').toReversed();
  const gone = new Set(spare.slice(0, Math.max(0, shown.filter(isWide).length - mostColumns)));
  const columns = shown.map((column) => (gone.has(column) ? { ...column, optional: 'hide' as const } : column));
  return { ...payload, viewTabs: [], arch: { ...arch, list: { ...list, columns } } };
}

function openInPlace(next: SearchState, list: WorkspacePayload | null): void {
  const { action, model, recordId, extra } = next;
  const query = toQuery({ ...emptySearch, action, model, recordId, extra, viewType: 'form' });
  const record = recall(list?.model ?? model, recordId);
  const name = String(record?.display_name ?? record?.name ?? '');
  const title = recordId > 0 ? name : newName(list?.arch ?? { label: '' });
  openPanel({ kind: 'record', query, title, defaults: {}, isInPlace: true, onSaved: () => {} });
}

/** Closes the panels when a link leads to another screen. */
function closeForLink(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!isPlain || event.defaultPrevented || !(event.target as Element).closest('a[href^="/web"]')) return;
  panels.set([]);
}

/** Opens the same list as a full screen; the breadcrumbs lead back to the record. */
export function WholeScreen({ href }: { readonly href: string }) {
  const leave = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    panels.set([]);
    void navigate(href, { trail: trailFromHere() });
  };
  return (
    <a className="btn btn-bare" href={href} onClick={leave}>
      <Icon name="external-link" />
      {t('Whole screen')}
    </a>
  );
}
