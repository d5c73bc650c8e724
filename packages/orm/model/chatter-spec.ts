/** Who takes part in the chatter of a model besides those who may change its records. */
export interface ChatterSpec {
  /** Whoever may read a record may comment on it. */
  readonly readersComment?: boolean;
  /** Contacts outside may follow a record: they get its messages to people outside, never notes or changes. */
  readonly contactsFollow?: boolean;
}
