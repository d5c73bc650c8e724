/** A displayed value: the label of a selection, the name of a record; null for none, and for hidden ones. */
export type TrackedValue = string | number | boolean | null;

/** A change of a field that the discussion shows. */
export interface TrackedChange {
  readonly field: string;
  readonly label: string;
  readonly old: TrackedValue;
  readonly new: TrackedValue;
}

/** A message of the discussion of a record. */
export interface ChatterMessage {
  readonly id: number;
  /** Sanitised HTML. */
  readonly body: string;
  readonly author: { readonly id: number; readonly name: string };
  /** The agent that acted in the name of the author. */
  readonly agent?: string;
  /** ISO 8601 in UTC. */
  readonly date: string;
  readonly kind: 'comment' | 'tracking' | 'system' | 'email';
  /** Of an e-mail from outside. */
  readonly mail?: ChatterMail;
  readonly tracking: readonly TrackedChange[];
  /** Loaded from `/web/wc/chatter/file?id=`; absent if there are none. */
  readonly files?: readonly ChatterFile[];
}

/** What an e-mail from outside has besides its text. */
export interface ChatterMail {
  readonly subject: string;
  readonly address: string;
  /** Signature and quoted history, as sanitised HTML; empty if there is none. */
  readonly folded: string;
  /** `bounce`: an e-mail was not delivered; `auto`: nobody wrote it. */
  readonly mark: 'message' | 'bounce' | 'auto';
  /** The contact with this address, if the reader may read it. */
  readonly contactId?: number;
  /** How many pictures on other servers it has, which are loaded on demand. */
  readonly pictures?: number;
  readonly invitation?: MailInvitation;
  /** Of an invitation that was answered. */
  readonly answer?: { readonly is: InvitationAnswer; readonly by: string };
  /** Of a message that we sent to people outside. */
  /** Who else has it. */
  readonly cc?: readonly { readonly name: string; readonly address: string }[];
  readonly outgoing?: {
    readonly to: readonly string[];
    readonly state: 'waiting' | 'sent' | 'unclear' | 'failed';
    /** When it is or was sent. */
    readonly at: string;
    /** The reader may take it back and change its time. */
    readonly mayChange: boolean;
    /** Addresses from which it came back. */
    readonly failedTo?: readonly string[];
  };
}

export type InvitationAnswer = 'yes' | 'maybe' | 'no';

/** A meeting that an e-mail is about. */
export interface MailInvitation {
  /** `request`: an invitation; `cancel`: the meeting does not take place; `reply`: an attendee answers ours. */
  readonly kind: 'request' | 'cancel' | 'reply';
  readonly title: string;
  /** ISO 8601. Of whole days, midnight in UTC. */
  readonly start: string;
  readonly stop: string;
  readonly allDay: boolean;
  readonly place: string;
  /** The rule of a series; empty for one meeting. */
  readonly repeats: string;
  readonly organiser: { readonly name: string; readonly address: string } | null;
  readonly attendees: readonly {
    readonly name: string;
    readonly address: string;
    readonly answer: InvitationAnswer | null;
  }[];
}

/** A file of a message. */
export interface ChatterFile {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  /** In bytes. */
  readonly size: number;
}

/** The answer of `GET /web/wc/chatter`, newest first. */
export interface ChatterPayload {
  readonly model: string;
  readonly recordId: number;
  readonly messages: readonly ChatterMessage[];
  /** Whether there are older messages: ask again with `before`. */
  readonly more: boolean;
}

/** A file of a record, whichever message it came with. */
export interface RecordFile extends ChatterFile {
  readonly author: { readonly id: number; readonly name: string };
  /** ISO 8601 in UTC. */
  readonly date: string;
  readonly mayRemove: boolean;
}

/** The answer of `GET /web/wc/chatter/files`, newest first. */
export interface RecordFilesPayload {
  readonly files: readonly RecordFile[];
}
