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

/** A list and the record that is opened in its place are as wide. */
export const besideWidth = 860;

const besideTypes = new Set(['', 'list', 'kanban', 'calendar', 'gantt']);

/** Shows the records that an address leads to beside the form. False: it leads to something else, such as a pivot or a file. */
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

/** Closes the topmost list beside the form, and the records that were opened in its place. */
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

/** What belongs to a record, beside it: the list of that screen, with a search of its own. Its records open in its place. */
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
      <div ref={body} role="presentation" className="column grow beside" onClick={closeForLink}>
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

/** The first row, once the table has measured how many it draws; or what makes the first record. */
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
 * Other views have their place on the whole screen, and so have columns that there is no room for: first the one that says for
 * each record what the list is about, then those that people may hide.
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

/** A link to another screen leaves the record, and its panels close. */
function closeForLink(event: MouseEvent): void {
  const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
  if (!isPlain || event.defaultPrevented || !(event.target as Element).closest('a[href^="/web"]')) return;
  panels.set([]);
}

/** Leads to the same on a screen of its own; the breadcrumbs lead back to the record. */
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
