import {
  Avatar,
  Badge,
  Button,
  Checkbox,
  Chip,
  type ClientDefinition,
  ClientError,
  Dialog,
  defineClient,
  defineField,
  defineView,
  deleteRecords,
  EmptyState,
  EmptyView,
  type FieldEditProps,
  type FieldPlace,
  type FieldReadProps,
  type FieldWidget,
  formatDate,
  formatDateTime,
  formatDecimal,
  formatHours,
  formatInteger,
  formatMoney,
  formatRelative,
  IconButton,
  type Look,
  locale,
  Menu,
  NamedIcon,
  navigate,
  openPanel,
  openRecord,
  PanelHost,
  Popover,
  parseHours,
  parseNumber,
  prefetchRecord,
  type RecordValues,
  read,
  readGroup,
  recordHref,
  refine,
  rpc,
  type SearchState,
  Skeleton,
  searchRead,
  showError,
  showToast,
  t,
  timeZone,
  tn,
  toHref,
  useReadRecord,
  useRecord,
  useWorkspaceFrame,
  useWorkspaceIds,
  ValueRead,
  type Values,
  ViewMenu,
  type ViewProps,
  valueText,
  WorkspaceBar,
  whileBusy,
  widgetOf,
  writeRecords,
} from '@kontor/client';

// ## Field widgets: defineField, FieldWidget, FieldReadProps, FieldEditProps, FieldPlace
/** Stars in lists and forms, used with `<field name="rating" widget="library_stars"/>`. */
export const starsField: FieldWidget = defineField({
  name: 'library_stars',
  Read: Stars,
  Edit: EditStars,
  toText: ({ value }) => tn('{n} star', '{n} stars', Number(value ?? 0)),
  width: 120,
});

function Stars({ value, place }: FieldReadProps) {
  const most: Record<FieldPlace, number> = { list: 5, form: 5, kanban: 5, grid: 1 };
  return <span title={String(value ?? 0)}>{'★'.repeat(Math.min(Number(value ?? 0), most[place]))}</span>;
}

function EditStars({ id, label, value, isRequired, isInvalid, onChange, onCommit }: FieldEditProps) {
  return (
    <input
      id={id}
      className="input"
      type="number"
      aria-label={label}
      aria-invalid={isInvalid}
      required={isRequired}
      value={Number(value ?? 0)}
      onChange={(event) => onChange(event.target.valueAsNumber || null)}
      onKeyDown={(event) => event.key === 'Enter' && onCommit?.()}
    />
  );
}

// ## Views: defineView, ViewProps, WorkspaceBar, openRecord, prefetchRecord, recordHref
/** A custom view type; `views` of `defineAddon` defines its label and icon. */
export const shelvesView = defineView({ type: 'library_shelves', View: Shelves });

function Shelves({ workspace, search, isLoading }: ViewProps) {
  return (
    <>
      <WorkspaceBar workspace={workspace} search={search} />
      <ul aria-busy={isLoading}>
        {workspace.records.map((record) => (
          <li key={record.id}>
            <a
              href={recordHref(search, workspace, record.id)}
              onFocus={() => prefetchRecord(search, workspace, record.id)}
            >
              {String(record.display_name)}
            </a>
            <Button onClick={() => openRecord(search, workspace, record.id)}>{t('Open')}</Button>
          </li>
        ))}
      </ul>
    </>
  );
}

// ## A complete view: EmptyView, openPanel, PanelHost, useReadRecord, useWorkspaceFrame, useWorkspaceIds, ViewMenu
export const gaugesView = defineView({ type: 'library_gauges', View: Gauges });

/** All readings as tiles: a button loads more, a link opens one beside the view, and a button increments it, with Undo. */
function Gauges({ workspace, search, isLoading }: ViewProps) {
  const { ids, seeEnd } = useWorkspaceIds(workspace);
  const frame = useWorkspaceFrame(workspace);
  const left = workspace.listTotal - ids.length;
  return (
    <>
      <WorkspaceBar
        workspace={workspace}
        search={search}
        summary={tn('{n} gauge', '{n} gauges', workspace.listTotal)}
        actions={<ViewMenu workspace={workspace} columns={[]} />}
      />
      {ids.length === 0 && <EmptyView workspace={workspace} search={search} />}
      <ul className="library-gauges" aria-busy={isLoading} aria-label={workspace.arch.title}>
        {ids.map((id) => (
          <Gauge key={id} id={id} workspace={frame} search={search} />
        ))}
      </ul>
      {left > 0 && <Button onClick={seeEnd}>{tn('{n} more', '{n} more', left)}</Button>}
      <PanelHost />
    </>
  );
}

/** Renders again when a value that it has read changes, whoever changed it. */
function Gauge({ id, workspace, search }: { readonly id: number } & Pick<ViewProps, 'workspace' | 'search'>) {
  const { model } = workspace;
  const record = useReadRecord(model, id);
  if (!record) return null;
  const name = String(record.name);
  const value = Number(record.value);
  const query = `model=${model}&view_type=form&id=${id}`;
  const open = () => openPanel({ kind: 'record', query, title: name, defaults: {}, onSaved: () => {} });
  return (
    <li>
      <a
        href={recordHref(search, workspace, id)}
        onClick={(event) => {
          event.preventDefault();
          open();
        }}
      >
        {name}: {value}
      </a>
      <Button
        onClick={() =>
          writeRecords({ model, ids: [id], values: { value: value + 1 }, done: t('Counted {name}', { name }) })
        }
      >
        {t('Count {name}', { name })}
      </Button>
    </li>
  );
}

// ## The client of an addon: defineClient, ClientDefinition
/** The default export of `client/index.ts`. */
export const client: ClientDefinition = defineClient({ fields: [starsField], views: [shelvesView] });

// ## Reading records: rpc, read, searchRead, readGroup, RecordValues, ClientError
/** Uses the session of the page. Failures throw a ClientError, whose message is meant for users. */
export async function lateBooks(today: string): Promise<readonly RecordValues[]> {
  const books = await searchRead('library.loan', [['date_due', '<', today]], ['book_id.title'], { order: 'date_due' });
  const [first] = await read('library.book', [books[0]?.id ?? 1], ['title']);
  const [all] = await readGroup('library.loan', { domain: [], groupby: [], fields: [] });
  try {
    await rpc({ model: 'library.loan', method: 'call', args: [books[0]?.id ?? 1, 'action_remind'] });
  } catch (error) {
    if (error instanceof ClientError && error.code === 'USER_ERROR') showToast({ kind: 'info', title: error.message });
  }
  return all?.__count ? books : first ? [first] : [];
}

// ## Changing records: writeRecords, deleteRecords, useRecord, Values, showError, whileBusy
/** The new value is shown at once wherever the record is on screen, and is reverted if the server rejects it. */
export function Shelf({ id }: { readonly id: number }) {
  const book = useRecord('library.book', id);
  const change = async (values: Values) => writeRecords({ model: 'library.book', ids: [id], values, done: t('Moved') });
  const remove = () => deleteRecords({ model: 'library.book', ids: [id], done: t('Deleted') });
  return (
    <>
      <Button onClick={() => void whileBusy(change({ shelf: 'B2' })).catch(showError)}>{String(book?.shelf)}</Button>
      <Button kind="danger" onClick={() => void whileBusy(remove()).catch(showError)}>
        {t('Delete')}
      </Button>
    </>
  );
}

// ## Notifying users: showToast
/** For messages that belong to no field. A toast with an action stays long enough to be used. */
export function showLent(title: string): void {
  showToast({
    kind: 'success',
    title: t('{title} is lent', { title }),
    action: { label: t('Show'), run: () => void navigate('/web?model=library.loan') },
  });
}

// ## Navigation: navigate, refine, toHref, SearchState
/** The URL holds the state of a workspace: change it, and the view follows. */
export function showDue(search: SearchState, date: string): void {
  void navigate(toHref(refine(search, { domain: [['date_due', '=', date]] })));
}

// ## Translations, dates and numbers: t, tn, locale, timeZone, formatDate, formatDateTime, formatRelative, formatInteger, formatDecimal, formatMoney, formatHours, parseNumber, parseHours
/** In the language, time zone and notation of the user. */
export function describeLoan(loan: { readonly due: string; readonly at: string; readonly fee: string }): string {
  return [
    t('Due {day}', { day: formatDate(loan.due) }),
    formatDateTime(loan.at),
    formatRelative(loan.at),
    formatMoney(loan.fee, 'EUR'),
    tn('{n} page', '{n} pages', 120),
    `${formatInteger(1_200)} ${formatDecimal('12.50', 2)} ${formatHours(1.5)}`,
    `${locale()} ${timeZone()}`,
  ].join(', ');
}

export const typed = (text: string) => parseNumber(text) ?? parseHours(text) ?? 0;

// ## Fields of other records: ValueRead, valueText, widgetOf
/** A value rendered by its widget, or as plain text. */
export function Cell(props: FieldReadProps) {
  const { align = 'start' } = widgetOf(props.field, props.node.widget);
  return (
    <span style={{ textAlign: align }} title={valueText(props)}>
      <ValueRead {...props} />
    </span>
  );
}

// ## Buttons, menus and dialogs: Button, IconButton, Menu, Dialog, Popover
interface LendDialogProps {
  readonly open: 'dialog' | 'tip' | null;
  readonly setOpen: (open: 'dialog' | 'tip' | null) => void;
  readonly anchor: { readonly current: HTMLButtonElement | null };
  readonly onLend: (days: number) => void;
}

/** Mounting a dialog or a popover opens it; the browser traps the focus in it and closes it on Escape. */
export function LendDialog({ open, setOpen, anchor, onLend }: LendDialogProps) {
  const entries = [7, 14].map((days) => ({
    key: String(days),
    label: tn('{n} day', '{n} days', days),
    run: () => onLend(days),
  }));
  return (
    <>
      <Menu label={t('Lend')} entries={entries} trigger={(props) => <Button {...props}>{t('Lend')}</Button>} />
      <IconButton ref={anchor} icon="users" label={t('Terms')} onClick={() => setOpen('tip')} />
      <Button kind="primary" icon="check" onClick={() => setOpen('dialog')}>
        {t('Lend longer')}
      </Button>
      {open === 'dialog' && (
        <Dialog title={t('Lend longer')} onClose={() => setOpen(null)}>
          <Button onClick={() => onLend(28)}>{t('Four weeks')}</Button>
        </Dialog>
      )}
      {open === 'tip' && (
        <Popover anchor={anchor} onClose={() => setOpen(null)}>
          {t('Books come back by themselves.')}
        </Popover>
      )}
    </>
  );
}

// ## Small components: Avatar, Badge, Look, Checkbox, Chip, EmptyState, NamedIcon, Skeleton
interface ReadersProps {
  readonly names: readonly string[] | null;
  readonly isOn: boolean;
  readonly setOn: (isOn: boolean) => void;
}

/** The building blocks of a screen, in the colours of the theme. */
export function Readers({ names, isOn, setOn }: ReadersProps) {
  const look: Look = isOn ? 'ok' : 'mute';
  if (names === null) return <Skeleton width={120} />;
  if (names.length === 0) return <EmptyState icon="users" title={t('Nobody reads it yet.')} />;
  return (
    <>
      <Checkbox label={t('All')} isChecked={isOn} onChange={setOn} />
      {names.map((name) => (
        <Chip key={name} onRemove={() => setOn(false)} removeLabel={t('Remove {name}', { name })}>
          <Avatar name={name} size="s" /> {name}
        </Chip>
      ))}
      <Badge look={look}>
        <NamedIcon name="book-open" /> {names.length}
      </Badge>
    </>
  );
}
