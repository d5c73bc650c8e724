import { useMemo, useRef, useState } from 'react';
import type { Line } from '../../../data/form/lines.ts';
import { t, tn } from '../../../i18n/messages.ts';
import { useStorePart } from '../../../state/store.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useOpenForm } from '../form-context.ts';
import { AddLine } from './add-line.tsx';
import { gridTemplate, gridWidth } from './columns.ts';
import { type CellPlace, type GridContext, GridProvider } from './grid-context.ts';
import type { GridProps } from './grid-props.ts';
import { openLinePanel } from './open-line.ts';
import { pasteLines } from './paste.ts';
import { GridRows } from './rows.tsx';
import { GridTotals } from './totals.tsx';
import { useDrag } from './use-drag.ts';
import { useGridColumns } from './use-grid-columns.ts';
import { useLines } from './use-lines.ts';
import './styles.css';

/** The lines of a record as a sheet: typed into, ordered, pasted into, saved with the record. */
export function Grid(props: GridProps) {
  const { node, field, label, isReadonly, isInvalid, id } = props;
  const open = useOpenForm();
  const { lines, actions } = useLines(props);
  const choice = useGridColumns(open.workspace.arch, node);
  const columns = choice.shown;
  const [active, setActive] = useState<CellPlace | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const isOwned = field.type === 'one2many';
  const { related } = field;
  const { list } = node;
  const isEditable = !isReadonly && isOwned && (list?.editable !== undefined || !node.form);
  const hasGrip = !isReadonly && list?.handle !== undefined && related?.write !== false;
  const { target, startDrag } = useDrag(box, actions);
  const isNew = useStorePart(open.form, (state) => state.id === 0);
  const grid = useMemo<GridContext>(
    () => ({
      model: field.relation ?? '',
      columns,
      choice,
      actions,
      hasGrip,
      isEditable,
      canCreate: !isReadonly && list?.create !== false && (!isOwned || related?.create !== false),
      canWrite: related?.write !== false,
      canDelete: !isReadonly && list?.delete !== false && (!isOwned || related?.unlink !== false),
      go: setActive,
      openLine: node.form
        ? (line: Line) => {
            const isFixed = isReadonly || (!line.isNew && related?.write === false);
            openLinePanel({ open, node, field, actions, isReadonly: isFixed }, line);
          }
        : null,
      startDrag,
    }),
    [open, node, field, list, columns, choice, actions, hasGrip, isEditable, isOwned, isReadonly, related, startDrag],
  );
  const paste = (event: React.ClipboardEvent) => {
    if (!isEditable || !grid.canCreate) return;
    const text = event.clipboardData.getData('text/plain');
    if (!/[\t\n]/.test(text.replace(/\r?\n$/, ''))) return;
    event.preventDefault();
    void pasteLines(text, grid, active);
  };
  const template = gridTemplate(columns, hasGrip);
  const width = gridWidth(columns, hasGrip);
  return (
    <GridProvider value={grid}>
      <div
        ref={box}
        id={id}
        className={`grid ${isInvalid ? 'grid-bad' : ''}`}
        style={{ '--grid-columns': template, '--grid-width': `${width}px` } as React.CSSProperties}
        onPaste={paste}
        onBlur={(event) => {
          if (event.relatedTarget && !box.current?.contains(event.relatedTarget)) setActive(null);
        }}
      >
        <div className="grid-wide">
          <GridRows lines={lines} active={active} dropTarget={target} label={label} />
          {lines.length === 0 && (
            <p className="grid-empty">
              <Icon name="list" />
              {isReadonly ? t('Nothing here.') : isNew ? t('No lines yet.') : t('No lines.')}
            </p>
          )}
          {grid.canCreate && <AddLine {...props} onAdded={(row) => setActive({ row, column: 0 })} />}
          <GridTotals lines={lines} />
        </div>
        {lines.length > 40 && <p className="grid-count dim">{tn('{n} line', '{n} lines', lines.length)}</p>}
      </div>
    </GridProvider>
  );
}
