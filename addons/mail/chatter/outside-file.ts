import { UserError } from '@kontor/addon';
import { plainName, type SentFile } from './message-files.ts';

const mostBytes = 3_000_000;

/** What a file begins with, by its type: what it claims to be is not believed. Text has no such beginning and no zero bytes. */
const beginnings: readonly (readonly [type: string, endings: RegExp, begins: string])[] = [
  ['application/pdf', /\.pdf$/i, '%PDF-'],
  ['image/png', /\.png$/i, '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', /\.jpe?g$/i, '\xff\xd8\xff'],
  ['application/zip', /\.(?:docx|xlsx|odt|ods)$/i, 'PK\x03\x04'],
];

/** A file from somebody outside, for a message of theirs, or an error that says what is taken. */
export function outsideFile(given: { readonly name: string; readonly content: Buffer }): SentFile {
  const name = plainName(given.name);
  const { content } = given;
  if (content.length > mostBytes) throw new UserError('A file may have up to 3 MB.');
  const start = content.toString('latin1', 0, 16);
  const known = beginnings.find(([, ending, begins]) => ending.test(name) && start.startsWith(begins));
  const isText = /\.(?:txt|csv)$/i.test(name) && !content.includes(0);
  if (!known && !isText)
    throw new UserError('Send PDF, PNG, JPEG, text or office documents; other files are not taken.');
  return { name, type: known?.[0] ?? 'text/plain', data: content.toString('base64') };
}
