import type { Domain } from '@kontor/protocol';

/** How records of a model appear in the timeline of another record, such as the orders of a contact. */
export interface TimelineSpec {
  /** The label of its filter: `Orders`. Models that share a kind share a filter. */
  readonly label: string;
  /** Name of an icon. */
  readonly icon: string;
  /** The stored date or datetime by which it is ordered. */
  readonly date: string;
  /** The path to the record with the timeline: a many2one, or a many2many as its last step. */
  readonly of?: string;
  /**
   * Instead of `of`: paths to the model and id of the record that it is about, which is the record with the timeline or one in it.
   * Whoever may read that record reads these too, as in the chatter, whatever the rights on the model itself.
   */
  readonly about?: { readonly model: string; readonly id: string };
  /** A domain for the records that are shown; default: all. */
  readonly where?: Domain;
  /** The path to the title; default: the name of the record. */
  readonly title?: string;
  /** Fields shown below the title: relations to one record, texts, choices, money. */
  readonly shows?: readonly string[];
  /** A boolean field for records of whole days, which are the same for everyone; their time is midnight in UTC. */
  readonly allDay?: string;
}

/** The record that a record is about, such as a message. */
export interface AboutSpec {
  /** The field with the name of the model. */
  readonly model: string;
  /** The field with the id of the record. */
  readonly id: string;
  /** Matches records that users attached. Others are created by the server and do not prevent an undo. */
  readonly where?: Domain;
}
