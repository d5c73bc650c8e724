/** Data of the screen `GET /web/proposals`: changes that agents propose in the user's name, pending ones first. */
export interface ProposalsScreenData {
  readonly proposals: readonly ShownProposal[];
}

export interface ShownProposal {
  readonly id: number;
  /** Sent with the decision: a proposal that was recalculated in the meantime is not what the user saw. */
  readonly version: number;
  readonly agent: string;
  readonly task: string | null;
  readonly reason: string | null;
  readonly state: 'waiting' | 'done' | 'refused';
  /** The user's note, or why it failed. */
  readonly note: string | null;
  /** It reaches others, such as by mail, and cannot be undone. */
  readonly isFinal: boolean;
  readonly at: string;
  readonly decidedAt: string | null;
  /** The label of the action, if it is one. */
  readonly action: string | null;
  /** Names of the records that the action runs on, as far as the user may read them. */
  readonly on: readonly string[];
  /** What the agent answered in the dialog of the action. */
  readonly answers: readonly ProposedField[];
  readonly records: readonly ProposedRecord[];
  /** What people would be told. */
  readonly said: readonly ProposedMessage[];
  /** How many records more. */
  readonly more: number;
  /** Records, messages or texts are left out: `GET /web/proposals?whole=ID` has them all. */
  readonly isCut: boolean;
}

export interface ProposedMessage {
  readonly kind: 'mail' | 'message' | 'notice';
  /** Addresses, names of users, or the record that the message is on. */
  readonly to: readonly string[];
  /** The address that answers to an e-mail go to, if it is not that of the sender. */
  readonly answersTo: string | null;
  readonly subject: string;
  readonly body: string;
  readonly files: readonly string[];
}

export interface ProposedRecord {
  readonly model: string;
  /** Null: it would be made. */
  readonly id: number | null;
  readonly operation: 'create' | 'write' | 'unlink';
  /** What such a record is called. */
  readonly label: string;
  readonly name: string;
  /** The address of the record, if it exists and may be read. */
  readonly href: string | null;
  readonly fields: readonly ProposedField[];
}

export interface ProposedField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly old: ProposedValue;
  readonly new: ProposedValue;
}

/** Choices and records in words already. */
export type ProposedValue = string | number | boolean | null;

/** The result for one of the proposals that a user decided on. */
export interface ProposalDecision {
  readonly id: number;
  readonly state: ShownProposal['state'];
  readonly changeSet: number | null;
  /** Why it still waits. */
  readonly problem: string | null;
}
