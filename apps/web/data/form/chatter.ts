import type { ChatterPayload } from '@kontor/protocol';
import { bootstrap } from '../../state/bootstrap.ts';
import { request } from '../request.ts';

/** The record that is talked about. */
export interface ChatterProps {
  readonly model: string;
  readonly recordId: number;
}

export type ChatterPage = Pick<ChatterPayload, 'messages' | 'more'>;

/** Newest first. `before` is the id of the oldest message that is known. */
export async function loadChatter(model: string, id: number, before?: number): Promise<ChatterPage> {
  const query = new URLSearchParams({ model, id: String(id), ...(before ? { before: String(before) } : {}) });
  const { body } = await request<ChatterPayload>(`${bootstrap().wcApiBase}/chatter?${query}`);
  return body;
}

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

/** `key` makes a comment that is sent again, because the answer to the first try was lost, the same comment. */
export async function postComment({ files, ...comment }: Comment, key: string): Promise<number> {
  const json = files.length > 0 ? { ...comment, files } : comment;
  const { body } = await request<{ result: { id: number } }>('/web/chatter/post', {
    json,
    headers: { 'idempotency-key': key },
  });
  return body.result.id;
}

export function fileHref(id: number): string {
  return `${bootstrap().wcApiBase}/chatter/file?id=${id}`;
}

export interface Mention {
  readonly id: number;
  readonly name: string;
}

/** `@Ada Lindqvist` of the people who were picked becomes `@[Ada Lindqvist](user:7)`, longest names first. */
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
