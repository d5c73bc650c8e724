import { looseEnv, textParts } from '@kontor/orm';
import { KontorError } from '@kontor/protocol';
import { fillWritten, sampleValues } from '../texts/render-text.ts';
import { type EditedText, shippedText, withAddedParts } from '../texts/shipped-text.ts';
import { mailPage } from './mail-page.ts';

/**
 * The route that shows a changed text as a mail.
 * @example
 * const route = { method: 'GET', path: textPreviewRoute, auth: 'session' };
 */
export const textPreviewRoute = '/web/texts/:id(^\\d{1,9}).html';

/**
 * For a route: a changed text as a page, with sample values or those of a record, which are read with the rights of the caller.
 * @example
 * export const page = (env: Env, changedTextId: number) => showText(env, changedTextId, null);
 */
export async function showText(given: object, id: number, recordId: number | null): Promise<string> {
  const env = looseEnv(given as Parameters<typeof looseEnv>[0]);
  const [edit] = await env.model('sys.text.edit').read([id], ['text_id.key', 'lang', 'shipped', ...textParts]);
  const definition = env.registry.texts.get(String(edit?.['text_id.key']));
  if (!edit || !definition) throw new KontorError('NOT_FOUND', 'This text no longer exists.');
  const lang = String(edit.lang);
  const written = withAddedParts(edit as unknown as EditedText, shippedText(env.registry, definition, lang));
  const values =
    recordId !== null && definition.load ? await definition.load(env as never, recordId) : sampleValues(definition);
  const { subject, paragraphs, button, note } = fillWritten(definition, written, lang, values);
  return mailPage({
    ...{ lang, subject, paragraphs, note },
    button: button === '' ? null : { label: button, href: 'https://kontor.example/' },
  });
}
