/** Something that happened, for those who may know. Ids and names, never the values of a record. */
export interface OutboxEvent {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** Only people who may read this model are told. */
  readonly model?: string;
  readonly companyId?: number | null;
  /** Only this person is told. */
  readonly userId?: number;
}
