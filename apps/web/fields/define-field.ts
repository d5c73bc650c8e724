import type { ArchField, Domain, FieldNode, ListColumn } from '@kontor/protocol';
import type { ComponentType, ReactNode } from 'react';
import type { RecordValues, Values } from '../data/rpc.ts';

/** Where a field stands; widgets are denser in a list than in a form. */
export type FieldPlace = 'list' | 'form' | 'kanban' | 'grid';

/** What a widget gets to show a value. */
export interface FieldReadProps {
  readonly field: ArchField;
  /** What the view says of this place: widget, options, placeholder, … */
  readonly node: Omit<FieldNode, 'kind'> | ListColumn;
  readonly model: string;
  /** As on the wire. `undefined`: not loaded yet. */
  readonly value: unknown;
  /** The whole record, for currencies and names of relations (`record['partner_id.display_name']`). */
  readonly record: RecordValues;
  readonly place: FieldPlace;
}

/** What a widget gets to edit a value. */
export interface FieldEditProps extends FieldReadProps {
  /** For the label: `<label htmlFor={id}>`. */
  readonly id: string;
  /** What readers hear when no visible label is tied to the control. */
  readonly label: string;
  readonly isRequired: boolean;
  readonly isInvalid: boolean;
  readonly describedBy?: string | undefined;
  readonly hasAutoFocus?: boolean | undefined;
  /** What the field may point at, from the field, the view or an onchange. */
  readonly domain?: Domain | undefined;
  /** A new value, on every key. `shown` are further keys to show with it, such as the name of a many2one. */
  readonly onChange: (value: unknown, shown?: Values) => void;
  /** The person is done with the field (Enter, a choice from a list). Leaving it is told by the blur. */
  readonly onCommit?: (() => void) | undefined;
}

/** A widget: its name, how it shows, edits and tells a value. */
export interface FieldWidget {
  /**
   * A field type (`char`), or the name that a view gives in `widget`. Which types it can draw is in the list of widgets by
   * which the server checks views.
   */
  readonly name: string;
  readonly Read: ComponentType<FieldReadProps>;
  /** What `Read` shows in a cell of a list, made without a component, hooks or handlers: scrolling draws hundreds of cells. */
  readonly cell?: (props: FieldReadProps) => ReactNode;
  /** Null: shown, never edited. */
  readonly Edit: ComponentType<FieldEditProps> | null;
  /** The value as plain text, for tips, cards, messages and the clipboard. */
  readonly toText: (props: FieldReadProps) => string;
  /** Numbers stand at the end of a column. */
  readonly align?: 'start' | 'end';
  /** Pixels in a list, when nobody chose others. */
  readonly width?: number;
  /** What it shows is a word on a colour and is never cut: a column has room for the longest. */
  readonly isWhole?: boolean;
  /** In a form it takes the whole width, or stands below its label as well; else it is beside the label. */
  readonly layout?: 'wide' | 'stacked';
  /** A click changes the value at once (stars, toggles): in a list it needs no edit mode. */
  readonly isDirect?: boolean;
}

/** How a field is drawn and edited, for `fields` of `defineClient`. */
export function defineField(widget: FieldWidget): FieldWidget {
  return Object.freeze(widget);
}
