/** What a person may do with records of a related model, and what they are known by. */
export interface RelatedRights {
  /** Texts beside the name on screen by which its records are known: a name that is only part of it, codes that no two of them share. */
  readonly keys?: readonly string[];
  readonly read: boolean;
  readonly create: boolean;
  readonly write: boolean;
  readonly unlink: boolean;
}
