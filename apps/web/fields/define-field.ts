import type { ArchField, Domain, FieldNode, ListColumn } from '@kontor/protocol';
import type { ComponentType, ReactNode } from 'react';
import type { RecordValues, Values } from '../data/rpc.ts';

/** Where a field is shown; widgets are denser in a list than in a form. */
export type FieldPlace = 'list' | 'form' | 'kanban' | 'grid';

/** The props of a widget that shows a value. */
export interface FieldReadProps {
  readonly field: ArchField;
  /** The view's node for the field: widget, options, placeholder, … */
  readonly node: Omit<FieldNode, 'kind'> | ListColumn;
  readonly model: string;
  /** In wire format. `undefined`: not loaded yet. */
  readonly value: unknown;
  /** The whole record, for currencies and names of relations (`record['partner_id.display_name']`). */
  readonly record: RecordValues;
  readonly place: FieldPlace;
}

/** The props of a widget that edits a value. */
export interface FieldEditProps extends FieldReadProps {
  /** For the label: `<label htmlFor={id}>`. */
  readonly id: string;
  /** The accessible name if no visible label is linked to the control. */
  readonly label: string;
  readonly isRequired: boolean;
  readonly isInvalid: boolean;
  readonly describedBy?: string | undefined;
  readonly hasAutoFocus?: boolean | undefined;
  /** Which records the field may reference, from the field, the view or an onchange. */
  readonly domain?: Domain | undefined;
  /**
   * Called with a new value on every key press. `shown` contains additional keys to show with it, such as the name of a
   * many2one.
   */
  readonly onChange: (value: unknown, shown?: Values) => void;
  /** Called when the user is done with the field (Enter, a choice from a list). Leaving it is reported by blur. */
  readonly onCommit?: (() => void) | undefined;
}

/** A widget: its name, and how it shows and edits a value. */
export interface FieldWidget {
  /**
   * A field type (`char`), or the name that a view gives in `widget`. The list of widgets, which the server checks
   * views against, says which types it supports.
   */
  readonly name: string;
  readonly Read: ComponentType<FieldReadProps>;
  /**
   * What `Read` shows in a list cell, without a component, hooks or handlers, because scrolling renders hundreds of
   * cells.
   */
  readonly cell?: (props: FieldReadProps) => ReactNode;
  /** Null: read-only. */
  readonly Edit: ComponentType<FieldEditProps> | null;
  /** The value as plain text, for tooltips, cards, messages and the clipboard. */
  readonly toText: (props: FieldReadProps) => string;
  /** Reads pasted text as `Edit` reads what is typed; undefined: it is no value. By default the field's type reads it. */
  readonly fromText?: (text: string, field: ArchField) => unknown;
  /** Numbers are aligned to the end. */
  readonly align?: 'start' | 'end';
  /** The default column width in a list, in pixels. */
  readonly width?: number;
  /** Never truncated, such as a badge: the column fits the longest value. */
  readonly isWhole?: boolean;
  /** In a form: over the whole width, or below its label; by default beside the label. */
  readonly layout?: 'wide' | 'stacked';
  /** A click changes the value at once (stars, toggles), so a list needs no edit mode. */
  readonly isDirect?: boolean;
}

/** Defines how a field is shown and edited, for `fields` of `defineClient`. */
export function defineField(widget: FieldWidget): FieldWidget {
  return Object.freeze(widget);
}
