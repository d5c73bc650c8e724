import {
  announce,
  bootstrap,
  type ChatterProps,
  closeToast,
  request,
  type SentFile,
  showError,
  showToast,
  t,
} from '../../../door/index.ts';
import { draftKey, type Recipient, saveDraft, takenBack } from './draft.ts';

export interface OutsideMessage {
  readonly to: readonly Recipient[];
  readonly subject: string;
  readonly text: string;
  /** With mentions as the server reads them. */
  readonly body: string;
  readonly files: readonly SentFile[];
  /** When it is sent; null: after the time for undo. */
  readonly at: string | null;
  readonly isSigned: boolean;
  readonly lang: string | undefined;
}

export interface Suggested {
  readonly to: readonly Recipient[];
  readonly subject: string;
  /** Contacts who follow the record and get a copy. */
  readonly followers: readonly Recipient[];
}

export async function loadRecipients({ model, recordId }: ChatterProps): Promise<Suggested> {
  const query = new URLSearchParams({ model, id: String(recordId) });
  return (await request<Suggested>(`${bootstrap().wcApiBase}/chatter/recipients?${query}`)).body;
}

const undoMs = 10_000;

/** Hands a message to the server, which sends it after ten seconds or at its time, whether this page is open or not. */
export async function sendOutside({ model, recordId }: ChatterProps, message: OutsideMessage): Promise<void> {
  const { to, subject, body, files, at, isSigned, lang } = message;
  const how = { ...(at ? { at } : {}), ...(isSigned ? {} : { signed: false }), ...(lang ? { lang } : {}) };
  const { body: answer } = await request<{ result: { id: number } }>('/web/chatter/mail', {
    json: { model, id: recordId, to: to.map(({ address }) => address), subject, body, files, ...how },
    headers: { 'idempotency-key': crypto.randomUUID() },
  });
  const names = to.map(({ name, address }) => name || address).join(', ');
  const title = at
    ? t('It will be sent later, to {names}', { names })
    : t('Sending in 10 seconds, to {names}', { names });
  announce(title);
  const toast = showToast({
    ...{ kind: 'success', title, isSticky: true },
    action: { label: t('Undo'), run: () => void undoMessage({ model, recordId }, answer.result.id, to) },
  });
  setTimeout(() => closeToast(toast), undoMs);
}

interface TakenBack {
  readonly to: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly files: readonly SentFile[];
}

/** Takes a message back that was not sent yet, with its text in the composer. */
export async function undoMessage(
  { model, recordId }: ChatterProps,
  message: number,
  known: readonly Recipient[] = [],
): Promise<void> {
  try {
    const { body } = await request<{ result: TakenBack }>('/web/chatter/unsend', { json: { message } });
    const { to, subject, body: text, files } = body.result;
    const named = to.map((address) => known.find((each) => each.address === address) ?? { name: '', address });
    const draft = { text, mentions: [], mode: 'message' as const, to: named, subject };
    saveDraft(model, recordId, draft);
    takenBack.set({ key: draftKey(model, recordId), draft, files });
    announce(t('The message was not sent'));
  } catch (error) {
    showError(error);
  }
}

export async function rescheduleMessage(message: number, at: string): Promise<void> {
  await request('/web/chatter/reschedule', { json: { message, at } });
}
