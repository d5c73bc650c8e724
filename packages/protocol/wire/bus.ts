/** One message of the bus: something happened. Ids and names, never the values of a record. */
export interface BusMessage {
  readonly channel: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Channels of the server itself, and what they carry. Addons publish others. */
export interface BusChannels {
  readonly 'record.created': RecordRef;
  readonly 'record.updated': RecordRef;
  readonly 'record.deleted': RecordRef;
  /** Records of a model whose changes are not published one by one. */
  readonly 'model.changed': { readonly model: string };
  readonly 'chatter.posted': RecordRef & { readonly message: number };
  readonly 'module.changed': { readonly module: string; readonly state: string };
  readonly 'import.progress': { readonly id: number; readonly done: number; readonly total: number };
  /** Events may have been missed: reload everything. */
  readonly 'bus.gap': Readonly<Record<never, never>>;
  readonly notify: Notification;
  readonly presence: RecordRef & { readonly users: readonly { readonly id: number; readonly name: string }[] };
}

/** A record by its model and id. */
export interface RecordRef {
  readonly model: string;
  readonly id: number;
}

/** A message for one person, shown by the client. `href` is where it leads, under `/web`. */
export interface Notification {
  readonly kind: 'success' | 'error' | 'info';
  readonly title: string;
  readonly body: string;
  readonly href?: string;
}

/** The only message a client sends: which records it shows. */
export interface WatchMessage {
  readonly watch: readonly RecordRef[];
}

/** How the server ends a connection. */
export const busCloseCodes = { sessionEnded: 4401, tooSlow: 1013, shutdown: 1001 } as const;
