import { bootstrap } from '../bootstrap.ts';
import { request } from '../request.ts';

export interface ChatterMessage {
  readonly id: number;
  /** Sanitised HTML. */
  readonly body: string;
  readonly author: { readonly id: number; readonly name: string } | null;
  readonly date: string;
  readonly kind: 'comment' | 'tracking' | 'system';
  readonly tracking: readonly {
    readonly field: string;
    readonly label: string;
    readonly old: unknown;
    readonly new: unknown;
  }[];
}

export interface ChatterPage {
  readonly messages: readonly ChatterMessage[];
  readonly more: boolean;
}

/** Newest first. `before` is the id of the oldest message that is known. */
export async function loadChatter(model: string, id: number, before?: number): Promise<ChatterPage> {
  const query = new URLSearchParams({ model, id: String(id), ...(before ? { before: String(before) } : {}) });
  const { body } = await request<ChatterPage & { readonly result?: ChatterPage }>(
    `${bootstrap().wcApiBase}/chatter?${query}`,
  );
  return body.result ?? body;
}

export async function postComment(model: string, id: number, body: string): Promise<void> {
  await request('/web/chatter/post', { json: { model, id, body } });
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
