import { memo } from 'react';
import type { Line } from '../../../data/form/lines.ts';
import { t } from '../../../i18n/messages.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { GridCell } from './cell.tsx';
import { useGrid } from './grid-context.ts';

interface RowProps {
  readonly line: Line;
  readonly row: number;
  /** The column that has the focus, or -1. */
  readonly active: number;
  /** Where Tab enters the grid. */
  readonly isEntry: boolean;
  readonly isDropTarget: boolean;
}

/** Draws again only when its own line, or the focus in it, changes. */
export const GridRow = memo(function GridRow({ line, row, active, isEntry, isDropTarget }: RowProps) {
  const grid = useGrid();
  const { columns, actions, hasGrip, openLine, isEditable } = grid;
  const opens = !isEditable && openLine !== null;
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={row + 2}
      className={`grid-row ${line.isNew ? 'grid-new' : ''} ${isDropTarget ? 'grid-drop' : ''} ${opens ? 'grid-opens' : ''}`}
      onClick={opens ? () => openLine(line) : undefined}
    >
      {hasGrip && (
        <div
          role="gridcell"
          tabIndex={-1}
          className="grid-grip"
          aria-label={t('Line {n}: drag to move, or Alt and an arrow key', { n: row + 1 })}
          onPointerDown={(event) => grid.startDrag(row, event)}
        >
          <Icon name="grip-vertical" />
        </div>
      )}
      {columns.map((column, at) => (
        <GridCell
          key={column.name}
          line={line}
          place={{ row, column: at }}
          column={column}
          isActive={active === at}
          isEntry={isEntry && at === 0}
        />
      ))}
      <div role="gridcell" tabIndex={-1} className="grid-end">
        {openLine && isEditable ? (
          <IconButton
            icon="external-link"
            size={14}
            tabIndex={-1}
            label={t('Open line {n}', { n: row + 1 })}
            onClick={() => openLine(line)}
          />
        ) : null}
        {grid.canDelete && (
          <IconButton
            icon="x"
            size={14}
            tabIndex={-1}
            label={t('Delete line {n}', { n: row + 1 })}
            onClick={(event) => {
              event.stopPropagation();
              actions.remove(line.key);
            }}
          />
        )}
      </div>
    </div>
  );
});
