import { bootstrap, request, t } from '@kontor/client';

/** As the server answers `GET /web/wc/inbox`. */
export interface Conversation {
  readonly id: number;
  readonly model: string;
  readonly recordId: number;
  readonly recordName: string;
  readonly modelLabel: string;
  readonly mailboxId: number;
  readonly subject: string;
  readonly sender: string;
  readonly address: string;
  readonly preview: string;
  readonly mark: 'message' | 'bounce' | 'auto';
  readonly at: string;
  readonly count: number;
  readonly files: number;
  readonly isOurs: boolean;
  readonly isUnread: boolean;
  readonly state: 'open' | 'snoozed' | 'closed';
  readonly snoozedUntil: string | null;
  readonly assignee: { readonly id: number; readonly name: string } | null;
  readonly answering: string | null;
}

export type Folder = 'open' | 'mine' | 'unassigned' | 'snoozed' | 'closed' | 'unsorted';

export interface InboxPage {
  readonly conversations: readonly Conversation[];
  readonly more: boolean;
  readonly counts: Readonly<Record<Exclude<Folder, 'closed'>, number>>;
  readonly mailboxes: Readonly<Record<number, number>>;
}

export interface InboxQuestion {
  readonly folder: Folder;
  readonly mailbox: number | null;
  readonly text: string;
  readonly limit: number;
}

export async function loadInbox({ folder, mailbox, text, limit }: InboxQuestion): Promise<InboxPage> {
  const query = new URLSearchParams({
    ...{ folder, limit: String(limit) },
    ...(mailbox === null ? {} : { mailbox: String(mailbox) }),
    ...(text === '' ? {} : { q: text }),
  });
  return (await request<InboxPage>(`${bootstrap().wcApiBase}/inbox?${query}`)).body;
}

export type Change =
  | { readonly do: 'open' | 'close' | 'read' | 'unread' }
  | { readonly do: 'snooze'; readonly until: string }
  | { readonly do: 'assign'; readonly user: number | null }
  | { readonly do: 'answering'; readonly on: boolean };

export async function sendInboxChange(id: number, change: Change): Promise<void> {
  await request('/web/inbox/change', { json: { ids: [id], ...change } });
}

export interface Place {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly modelLabel: string;
}

export async function loadPlaces(id: number, text: string): Promise<readonly Place[]> {
  const query = new URLSearchParams({ id: String(id), q: text });
  const { body } = await request<{ places: readonly Place[] }>(`${bootstrap().wcApiBase}/inbox/places?${query}`);
  return body.places;
}

export function isUnsorted({ model }: Pick<Conversation, 'model'>): boolean {
  return model === 'mail.incoming';
}

export function subjectOf({ subject, mark }: Conversation): string {
  return subject || (mark === 'message' ? t('No subject') : t('Automatic e-mail'));
}
