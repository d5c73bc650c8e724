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
import { type Draft, draftKey, type Recipient, saveDraft, takenBack } from './draft.ts';

export interface OutsideMessage {
  readonly to: readonly Recipient[];
  readonly cc: readonly Recipient[];
  readonly subject: string;
  readonly text: string;
  /** With mentions as the server reads them. */
  readonly body: string;
  readonly files: readonly SentFile[];
  /** When it is sent; null: after the time for undo. */
  readonly at: string | null;
  readonly isSigned: boolean;
  readonly lang: string | undefined;
  /** The same for every try. */
  readonly key: string;
}

export interface Suggested {
  readonly to: readonly Recipient[];
  /** Who else had the e-mail that is answered. */
  readonly others: readonly Recipient[];
  readonly subject: string;
  /** Contacts who follow the record and get a copy. */
  readonly followers: readonly Recipient[];
  /** Names of colleagues who follow the record. */
  readonly colleagues: readonly string[];
}

export async function loadRecipients({ model, recordId }: ChatterProps): Promise<Suggested> {
  const query = new URLSearchParams({ model, id: String(recordId) });
  return (await request<Suggested>(`${bootstrap().wcApiBase}/chatter/recipients?${query}`)).body;
}

const undoMs = 10_000;

/** Hands a message to the server, which sends it after ten seconds or at its time, whether this page is open or not. */
export async function sendOutside({ model, recordId }: ChatterProps, message: OutsideMessage): Promise<void> {
  const { to, cc, subject, body, files, at, isSigned, lang, key } = message;
  const how = { ...(at ? { at } : {}), ...(isSigned ? {} : { signed: false }), ...(lang ? { lang } : {}) };
  const { body: answer } = await request<{ result: { id: number } }>('/web/chatter/mail', {
    json: { model, id: recordId, to: addressesOf(to), cc: addressesOf(cc), subject, body, files, ...how },
    headers: { 'idempotency-key': key },
  });
  const everybody = [...to, ...cc];
  const names = everybody.map(({ name, address }) => name || address).join(', ');
  const title = at
    ? t('It will be sent later, to {names}', { names })
    : t('Sending in 10 seconds, to {names}', { names });
  announce(title);
  const toast = showToast({
    ...{ kind: 'success', title, isSticky: true },
    action: { label: t('Undo'), run: () => void undoMessage({ model, recordId }, answer.result.id, everybody) },
  });
  setTimeout(() => closeToast(toast), undoMs);
}

const addressesOf = (people: readonly Recipient[]) => people.map(({ address }) => address);

interface TakenBack {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly subject: string;
  readonly body: string;
  readonly files: readonly SentFile[];
  readonly isSigned: boolean;
  readonly lang: string | null;
}

/** Takes a message back that was not sent yet, with all that was chosen for it in the composer. */
export async function undoMessage(
  { model, recordId }: ChatterProps,
  message: number,
  known: readonly Recipient[] = [],
): Promise<void> {
  try {
    const { body } = await request<{ result: TakenBack }>('/web/chatter/unsend', { json: { message } });
    const { to, cc, subject, files, isSigned, lang } = body.result;
    const named = (addresses: readonly string[]) =>
      addresses.map((address) => known.find((each) => each.address === address) ?? { name: '', address });
    const draft = {
      ...withoutMentions(body.result.body),
      ...{
        mode: 'message' as const,
        to: named(to),
        cc: named(cc),
        subject,
        isSigned,
        fileNames: files.map(({ name }) => name),
      },
      ...(lang === null ? {} : { lang }),
    };
    saveDraft(model, recordId, draft);
    takenBack.set({ key: draftKey(model, recordId), draft, files });
    announce(t('The message was not sent'));
  } catch (error) {
    showError(error);
  }
}

/** What was typed, and who was meant, of a text as the server has it. */
function withoutMentions(body: string): Pick<Draft, 'text' | 'mentions'> {
  const mentions = new Map<number, string>();
  const text = body.replaceAll(/@\[([^\]\n]{1,200})\]\(user:(\d{1,9})\)/g, (_, name: string, id: string) => {
    mentions.set(Number(id), name);
    return `@${name}`;
  });
  return { text, mentions: [...mentions].map(([id, name]) => ({ id, name })) };
}

export async function rescheduleMessage(message: number, at: string): Promise<void> {
  await request('/web/chatter/reschedule', { json: { message, at } });
}
