import { Fragment, useEffect, useId, useMemo, useRef, useState } from 'react';
import {
  type ArchField,
  announce,
  type FieldNode,
  fieldType,
  Icon,
  insertBefore,
  type Line,
  lazyComponent,
  Many2oneEdit,
  read,
  showError,
  showToast,
  t,
  tn,
  useStorePart,
  ValueRead,
  whileBusy,
} from '../../../door/index.ts';
import type { Column } from '../../table/columns.ts';
import { type CellPlace, isTable } from '../../table/keys.ts';
import type { PasteColumns, PastedTable } from '../../table/paste.ts';
import type { AskedColumns } from '../../table/paste-dialog.tsx';
import { useRowDrag } from '../../table/use-row-drag.ts';
import { type OpenForm, useOpenForm } from '../use-form.ts';
import { gridLayout, useGridColumns } from './columns.ts';
import { firstColumn, type GridContext, GridProvider, isHeading, useGrid } from './grid-context.ts';
import { openLinePanel } from './open-line.ts';
import { GridRows } from './rows.tsx';
import { type LineActions, useLines } from './use-lines.ts';
import '../../table/styles.css';
import '../../table/lines.css';

const { Component: PasteDialog } = lazyComponent<AskedColumns>(
  async () => (await import('../../table/paste-dialog.tsx')).PasteDialog,
);

export interface GridProps {
  readonly id: string;
  readonly node: FieldNode;
  readonly field: ArchField;
  readonly label: string;
  readonly isReadonly: boolean;
  readonly isInvalid: boolean;
}

/** The lines of a record as an editable table, saved together with the record. */
// Over 60 lines: rows, paste and drag share the active cell and the box.
export function Grid(props: GridProps) {
  const { label, isReadonly, isInvalid, id } = props;
  const open = useOpenForm();
  const { lines, actions } = useLines(props);
  const [active, setActive] = useState<CellPlace | null>(null);
  const grid = useGridContext(props, { lines, actions }, setActive);
  const box = useRef<HTMLDivElement>(null);
  const { asked, ask } = useAskedColumns(grid.columns);
  const { choice, hasGrip } = grid;
  const { rows: shown, lifted } = useRowDrag({
    root: box,
    isEnabled: hasGrip,
    label,
    rows: lines,
    idsOf: (all) => all.map(({ key }) => key),
    indexOf: rowOf,
    withMove,
    nameOf: (key) => t('Line {n}', { n: rowOf(lines, key) + 1 }),
    follow: (from, to) => setActive((now) => (now?.row === from ? { ...now, row: to } : now)),
    drop: (key, _before, to) => actions.move(rowOf(lines, key), to),
  });
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  // Edits that are being sent count as saved.
  const isSending = useStorePart(open.form, ({ edits, sending }) => edits === sending);
  const ends = grid.buttons.length;
  const isOpen = grid.isEditable || grid.canDelete;
  const { template, width } = useMemo(
    () => gridLayout(choice.tracks, lines, { hasGrip, isOpen, ends }),
    [choice.tracks, lines, hasGrip, isOpen, ends],
  );
  return (
    <GridProvider value={grid}>
      <div
        ref={box}
        id={id}
        className={`grid shrink ${isInvalid ? 'grid-bad' : ''} ${isSending ? 'grid-sending' : ''}`}
        style={{ '--grid-columns': template, '--grid-width': `${width}px` } as React.CSSProperties}
        onPaste={(event) => {
          const work = pasteInto(event, grid, { active, ask });
          if (work) open.hold(whileBusy(work).catch(showError));
        }}
        onBlur={(event) => {
          if (event.relatedTarget && !box.current?.contains(event.relatedTarget)) setActive(null);
        }}
      >
        <div className="grid-wide scroll">
          <GridRows lines={shown} active={active} lifted={lifted} label={label} />
          {lines.length === 0 && (
            <p className="stick lined at-front grid-empty row dim">
              <Icon name="list" />
              {isReadonly ? t('Nothing here.') : isNew ? t('No lines yet.') : t('No lines.')}
            </p>
          )}
          {grid.canCreate && <AddLine {...props} onAdded={setActive} />}
          <GridTotals lines={lines} />
        </div>
        {asked && <PasteDialog {...asked} />}
        {lines.length > 40 && (
          <p className="pad-y-1 pad-x-2 grid-count dim small">{tn('{n} line', '{n} lines', lines.length)}</p>
        )}
      </div>
    </GridProvider>
  );
}

/** Asks where the columns of a paste go that were not recognised. */
function useAskedColumns(
  columns: readonly Column[],
): Pick<PastePlace, 'ask'> & { readonly asked: AskedColumns | null } {
  const [asked, setAsked] = useState<AskedColumns | null>(null);
  const ask: PastePlace['ask'] = (table) =>
    new Promise((resolve) => {
      const choose = (chosen: PasteColumns | null) => {
        setAsked(null);
        resolve(chosen);
      };
      setAsked({ table, columns, choose });
    });
  return { asked, ask };
}

/** Permissions and operations that rows and cells share. */
function useGridContext(
  { node, field, isReadonly }: GridProps,
  { lines, actions }: { readonly lines: readonly Line[]; readonly actions: LineActions },
  go: GridContext['go'],
): GridContext {
  const open = useOpenForm();
  const choice = useGridColumns(open.workspace.arch, node, lines);
  return useMemo(() => {
    const { related } = field;
    const { list } = node;
    const columns = choice.shown;
    const isOwned = fieldType(field.type).isLines;
    const canWrite = related?.write !== false;
    return {
      model: field.relation ?? '',
      headings: headingsOf(node, columns),
      columns,
      choice,
      actions,
      buttons: (list?.buttons ?? []).filter(({ type }) => type === 'object'),
      hasGrip: !isReadonly && list?.handle !== undefined && canWrite,
      isEditable: !isReadonly && isOwned === true && (list?.editable !== undefined || !node.form),
      canCreate: !isReadonly && list?.create !== false && (!isOwned || related?.create !== false),
      canWrite,
      canDelete: !isReadonly && list?.delete !== false && (!isOwned || related?.unlink !== false),
      go,
      openLine: node.form
        ? (line: Line) =>
            openLinePanel({ open, node, field, actions, isReadonly: isReadonly || (!line.isNew && !canWrite) }, line)
        : null,
    };
  }, [open, node, field, choice, actions, go, isReadonly]);
}

interface PastePlace {
  readonly active: CellPlace | null;
  /** Where columns go that were not recognised; null: nothing is pasted. */
  readonly ask: (table: PastedTable) => Promise<PasteColumns | null>;
}

/** Pastes spreadsheet rows over the lines from the active cell on, and appends new lines for the rest. Null: the text is no table. */
function pasteInto(event: React.ClipboardEvent, grid: GridContext, place: PastePlace): Promise<void> | null {
  const text = event.clipboardData.getData('text/plain');
  if (!grid.isEditable || !grid.canCreate || !isTable(text)) return null;
  // Several lines of prose are pasted into the text area itself.
  if (!text.includes('\t') && event.target instanceof HTMLTextAreaElement) return null;
  event.preventDefault();
  return pasteTable(text, grid, place);
}

async function pasteTable(text: string, grid: GridContext, { active, ask }: PastePlace): Promise<void> {
  const { actions, columns, canWrite } = grid;
  const { needsChoice, proposedColumns, readPasted, readTable } = await import('../../table/paste.ts');
  const lines = active ? actions.lines().slice(active.row) : [];
  const canChange = lines.map(({ isNew }) => isNew || canWrite);
  const table = readTable(text, columns, active?.column ?? 0);
  let pasted = await readPasted(table.cells, { columns: table.columns, canChange });
  if (needsChoice(table, pasted)) {
    const chosen = await ask({ ...table, columns: proposedColumns(table, pasted, columns) });
    if (chosen === null) return;
    pasted = await readPasted(table.cells, { columns: chosen, canChange });
  }
  const { rows, unread } = pasted;
  for (const [at, values] of rows.entries()) {
    const line = lines[at];
    if (values && line) actions.change(line.key, values);
  }
  await actions.addMany(rows.slice(lines.length).filter((values) => values !== null));
  announce(tn('{n} row pasted', '{n} rows pasted', rows.length));
  const lost = unread.reduce((sum, count) => sum + count, 0);
  if (lost > 0)
    showToast({
      kind: 'info',
      title: tn('{n} cell was not understood', '{n} cells were not understood', lost),
      body: t('They are marked.'),
    });
}

/** Headings use the column that describes lines. */
function headingsOf({ list, fields }: FieldNode, columns: readonly Column[]): GridContext['headings'] {
  const field = fields?.find(({ name }) => name === list?.sections);
  const column = columns.findIndex((one) => fieldType(one.field.type).isText);
  return field && column >= 0 ? { field, column } : null;
}

function rowOf(lines: readonly Line[], key: number | null): number {
  return lines.findIndex((line) => line.key === key);
}

function withMove(lines: readonly Line[], key: number, before: number | null): readonly Line[] {
  const moved = lines[rowOf(lines, key)];
  return moved ? insertBefore(lines, moved, lines[rowOf(lines, before)] ?? null) : lines;
}

interface AddLineProps extends GridProps {
  readonly onAdded: (place: CellPlace) => void;
}

/** Adds a new line for a one2many; searches for existing records for a many2many. */
function AddLine(props: AddLineProps) {
  const { field, node, onAdded } = props;
  const open = useOpenForm();
  const { actions, isEditable, canCreate, headings, columns } = useGrid();
  const isLinks = fieldType(field.type).isLinks === true;
  const add = (kind?: string) => {
    if (!isEditable) return openLinePanel({ open, node, field, actions, isReadonly: false }, null);
    const key = actions.add(kind && headings ? { [headings.field.name]: kind } : {}, { isBlank: true });
    const row = actions.lines().findIndex((line) => line.key === key);
    onAdded({ row, column: headings && isHeading(kind) ? headings.column : firstColumn({ columns }) });
  };
  useAddLine(open, canCreate && !isLinks ? add : null);
  if (isLinks) return <LinkLine {...props} />;
  if (!canCreate) return null;
  // The first kind is that of a regular line.
  const kinds = isEditable ? (headings?.field.selection ?? []).slice(1) : [];
  return (
    <div className="stick lined at-front grid-adds line">
      <button type="button" className="accent round-4 grid-add row gap-1h medium hovers" onClick={() => add()}>
        <Icon name="plus" size={14} />
        {t('Add a line')}
        {isEditable && <span className="regular grid-hint dim">{t('or paste rows from a spreadsheet')}</span>}
      </button>
      {kinds.map(([kind, words]) => (
        <button
          key={kind}
          type="button"
          className="accent round-4 grid-add row gap-1h medium hovers"
          onClick={() => add(kind)}
        >
          <Icon name="plus" size={14} />
          {words}
        </button>
      ))}
    </div>
  );
}

/** The bottom bar on a phone offers it as well. */
function useAddLine({ addLine }: OpenForm, add: (() => void) | null): void {
  const latest = useRef(add);
  latest.current = add;
  const canAdd = add !== null;
  useEffect(() => {
    if (!canAdd) return;
    const own = () => latest.current?.();
    addLine.set((now) => now ?? own);
    return () => addLine.set((now) => (now === own ? null : now));
  }, [addLine, canAdd]);
}

function LinkLine({ field, node, label }: AddLineProps) {
  const id = useId();
  const { actions } = useGrid();
  const { workspace } = useOpenForm();
  const chooser: ArchField = { ...field, type: 'many2one' };
  const shown = actions.lines().map((line) => line.key);
  const link = (chosen: unknown) => {
    if (typeof chosen !== 'number' || !field.relation) return;
    read(field.relation, [chosen], linePaths(workspace.arch.paths, field.name)).then(([record]) => {
      if (record) actions.link(record);
    }, showError);
  };
  return (
    <div className="stick lined at-front grid-link">
      <Many2oneEdit
        id={id}
        label={t('Add to {label}', { label })}
        field={chooser}
        node={{ name: node.name, placeholder: t('Add …') }}
        model={workspace.model}
        value={null}
        record={{ id: 0 }}
        place="grid"
        isRequired={false}
        isInvalid={false}
        domain={[...(node.domain ?? field.domain ?? []), ['id', 'not in', shown]]}
        onChange={link}
      />
    </div>
  );
}

function linePaths(paths: readonly unknown[] | undefined, name: string): readonly unknown[] {
  const nested = paths?.find((path) => typeof path === 'object' && path !== null && name in path);
  return (nested as Record<string, readonly unknown[]> | undefined)?.[name] ?? ['display_name'];
}

/** Sums and averages below the columns that ask for them. */
function GridTotals({ lines }: { readonly lines: readonly Line[] }) {
  const { columns, choice, hasGrip, model } = useGrid();
  if (!columns.some(({ node }) => node.sum || node.avg) || lines.length === 0) return null;
  return (
    <dl className="pad-y-2 grid-totals">
      {choice.tracks.map(({ columns: [column] }, at) => {
        const label = column.node.sum ?? column.node.avg;
        if (!label) return null;
        return (
          <div key={column.name} className="grid-total column" style={{ gridColumn: at + (hasGrip ? 2 : 1) }}>
            <dt className="dim tiny">{label}</dt>
            <dd className="num strong large nowrap">
              {byCurrency(column, lines).map(({ currency, own }, index) => (
                <Fragment key={currency}>
                  {index > 0 && ' + '}
                  <ValueRead
                    field={column.field}
                    node={column.node}
                    model={model}
                    record={{ ...own[0]?.values, id: 0, [column.name]: total(column, own) }}
                    place="grid"
                  />
                </Fragment>
              ))}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

/** Amounts in different currencies are not added; other numbers are. */
function byCurrency({ field }: Column, lines: readonly Line[]) {
  const currencyOf = ({ values }: Line) => (field.currency ? values[`${field.currency}.display_name`] : '');
  // An unsaved line has the currency of its record.
  const usual = String(lines.map(currencyOf).find((one) => typeof one === 'string') ?? '');
  const groups = new Map<string, Line[]>();
  for (const line of lines) {
    const currency = String(currencyOf(line) ?? usual);
    const own = groups.get(currency) ?? [];
    groups.set(currency, own);
    own.push(line);
  }
  return [...groups].map(([currency, own]) => ({ currency, own }));
}

const cents = 1e6;

/** Adds integers of millionths, to avoid floating-point errors. */
function total({ name, node }: Column, lines: readonly Line[]): number {
  const sum = lines.reduce((now, { values }) => now + Math.round(Number(values[name] ?? 0) * cents), 0) / cents;
  return node.sum ? sum : sum / lines.length;
}
