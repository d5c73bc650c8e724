import type { ChatterPayload } from '@kontor/protocol';
import { t } from '../i18n/messages.ts';
import { bootstrap } from '../state/bootstrap.ts';
import { createStore } from '../state/store.ts';
import { onCatchUp } from './bus.ts';
import { toClientError } from './client-error.ts';
import { connection } from './connection.ts';
import { request } from './request.ts';
import type { Mention, PostedComment } from './unseen-mentions.ts';
import { saveWhenBack } from './waiting-saves.ts';

/** The record that is discussed. */
export interface ChatterProps {
  readonly model: string;
  readonly recordId: number;
  /** Below the record in a panel, where it does not collapse. */
  readonly isInPanel?: boolean;
  /** Records of other models belong to its timeline. */
  readonly hasTimeline?: boolean;
}

/** The discussion of a record outside of its form. */
export interface DiscussionProps extends ChatterProps {
  /** Somebody types, or has sent or deleted the text. */
  readonly onWriting?: (isWriting: boolean) => void;
}

/** A page of the discussion of a record. */
export type ChatterPage = Pick<ChatterPayload, 'messages' | 'more'>;

/** Loads messages, newest first. `before` is the id of the oldest loaded message. */
export async function loadChatter(model: string, id: number, before?: number): Promise<ChatterPage> {
  const query = new URLSearchParams({ model, id: String(id), ...(before ? { before: String(before) } : {}) });
  const { body } = await request<ChatterPayload>(`${bootstrap().wcApiBase}/chatter?${query}`);
  return body;
}

/** A file attached to a message. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly data: string;
}

export interface Comment {
  readonly model: string;
  readonly id: number;
  /** Light Markdown. */
  readonly body: string;
  readonly files: readonly SentFile[];
}

/** A retry with the same `key` does not post the comment twice. */
async function postComment({ files, ...comment }: Comment, key: string): Promise<PostedComment> {
  const json = files.length > 0 ? { ...comment, files } : comment;
  const { body } = await request<{ result: PostedComment }>('/web/chatter/post', {
    json,
    headers: { 'idempotency-key': key },
  });
  return body.result;
}

/** The URL of a file. */
export function fileHref(id: number): string {
  return `${bootstrap().wcApiBase}/chatter/file?id=${id}`;
}

/** Replaces `@Ada Lindqvist` of the chosen people by `@[Ada Lindqvist](user:7)`, longest names first. */
export function withMentions(text: string, mentions: readonly Mention[]): string {
  const longest = [...mentions].sort((a, b) => b.name.length - a.name.length);
  return longest.reduce(
    (result, { id, name }) =>
      result.replace(
        new RegExp(`@${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?!\\]|\\p{L})`, 'gu'),
        `@[${name}](user:${id})`,
      ),
    text,
  );
}

/**
 * A comment that the server has not confirmed yet: shown at once, sent in order, and kept in this browser until it is
 * confirmed.
 */
export interface Outgoing extends Comment {
  readonly key: string;
  /** As typed, for display. */
  readonly text: string;
  readonly at: string;
  /** Why it could not be sent; empty while it is being sent. */
  readonly problem: string;
  /** It is sent automatically when the server is back. */
  readonly isWaiting: boolean;
}

/** Comments that the server has not confirmed yet. */
export const outgoing = createStore<readonly Outgoing[]>([]);

let isStarted = false;
const sending = new Set<string>();

/** Sends the comments that an earlier visit could not send. */
export function startOutgoing(): void {
  if (isStarted) return;
  isStarted = true;
  outgoing.set(loadOutgoing());
  outgoing.subscribe(saveOutgoing);
  onCatchUp(sendWaiting);
  window.addEventListener('beforeunload', (event) => {
    if (sending.size > 0) event.preventDefault();
  });
  sendWaiting();
}

/** Sends a comment, which is shown at once. */
export function sendComment(comment: Comment, text: string): void {
  const mine: Outgoing = {
    ...comment,
    key: crypto.randomUUID(),
    text,
    at: new Date().toISOString(),
    problem: '',
    isWaiting: connection.get() === 'lost',
  };
  outgoing.set((now) => [...now, mine]);
  void send(mine);
}

/** Sends a failed comment again. */
export function resendComment(key: string): void {
  const one = outgoing.get().find((comment) => comment.key === key);
  if (one) void send(one);
}

/** Removes an unsent comment. */
export function removeOutgoing(key: string): void {
  outgoing.set((now) => now.filter((comment) => comment.key !== key));
}

function sendWaiting(): void {
  for (const comment of outgoing.get()) if (comment.isWaiting || comment.problem === '') void send(comment);
}

async function send(comment: Outgoing): Promise<void> {
  const { key, model, id, body, files } = comment;
  if (sending.has(key)) return;
  sending.add(key);
  change(key, { problem: '' });
  try {
    const posted = await postComment({ model, id, body, files }, key);
    removeOutgoing(key);
    if (posted.unseen) void import('./unseen-mentions.ts').then((code) => code.reportUnseen({ model, id }, posted));
  } catch (error) {
    const failure = toClientError(error);
    // The first attempt had reached the server.
    if (failure.fields.post_key) removeOutgoing(key);
    else change(key, { problem: failure.message, isWaiting: failure.code === 'network' });
    // It is kept and sent automatically; here it is only listed.
    if (failure.code === 'network') saveWhenBack({ key, name: t('Comment'), run: () => {} });
  } finally {
    sending.delete(key);
  }
}

function change(key: string, values: Partial<Outgoing>): void {
  outgoing.set((now) => now.map((comment) => (comment.key === key ? { ...comment, ...values } : comment)));
}

const storeKey = () => `kontor:outgoing:${bootstrap().user.id}`;

function saveOutgoing(): void {
  try {
    const all = outgoing.get();
    if (all.length === 0) localStorage.removeItem(storeKey());
    else localStorage.setItem(storeKey(), JSON.stringify(all));
  } catch {
    // Commenting must not fail if storage is full.
  }
}

function loadOutgoing(): readonly Outgoing[] {
  try {
    const found = JSON.parse(localStorage.getItem(storeKey()) ?? '[]') as Outgoing[];
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
