import type { RefObject } from 'react';
import { type ArchField, type FieldEditProps, holds, Popover, type RecordValues } from '../../door/index.ts';
import type { Column } from './columns.ts';

/** Whether a cell is editable, as far as its column decides. `fields` are those that conditions can name. */
export function takesInput(
  { field, node, widget }: Column,
  record: RecordValues,
  fields?: readonly ArchField[],
): boolean {
  return !field.readonly && widget.Edit !== null && !holds(node.readonly, record, fields);
}

type Given = Pick<FieldEditProps, 'id' | 'model' | 'record' | 'place' | 'onChange'>;
type Choices = Pick<FieldEditProps, 'value' | 'label' | 'isRequired' | 'hasAutoFocus' | 'domain'>;

interface CellControlProps extends Given, Partial<Choices> {
  readonly column: Column;
  /** Why the value is invalid; empty if it is valid. */
  readonly problem?: string;
}

/** The control that edits a cell. */
export function CellControl({ column, problem = '', ...given }: CellControlProps) {
  const { field, node, label, widget } = column;
  const Edit = widget.Edit;
  return Edit ? (
    <Edit
      {...{ field, node, label }}
      value={given.record[field.name]}
      domain={node.domain}
      isRequired={false}
      {...given}
      isInvalid={problem !== ''}
      describedBy={problem ? `${given.id}-problem` : undefined}
    />
  ) : null;
}

interface CellProblemProps {
  /** The id of the control. */
  readonly id: string;
  readonly anchor: RefObject<HTMLElement | null>;
  readonly problem: string;
  readonly onClose: () => void;
}

/** The error message below a cell. */
export function CellProblem({ id, anchor, problem, onClose }: CellProblemProps) {
  return (
    <Popover anchor={anchor} mode="manual" onClose={onClose} className="bad bg-bad-soft pad-y-1h pad-x-2h list-problem">
      <p id={`${id}-problem`} role="alert">
        {problem}
      </p>
    </Popover>
  );
}
