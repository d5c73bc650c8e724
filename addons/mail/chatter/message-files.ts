import { type Env, fileAnswer, KontorError, type RouteAnswer, text, ValidationError } from '@kontor/addon';
import { checkThread, isAllowed, messagesFor, type Thread } from './thread.ts';

/** A file as it is sent with a message. */
export interface SentFile {
  readonly name: string;
  readonly type: string;
  /** Base64. */
  readonly data: string;
}
export interface ShownFile {
  readonly id: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
}

const mostFiles = 10;
/** Images that a browser displays and never executes; anything else is downloaded. */
const drawable: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Files of a post: checked before anything is written. */
export function filesIn(given: unknown): readonly SentFile[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given) || !given.every(isFile)) {
    throw new KontorError('INVALID_ARGS', 'files must be an array of {name, type, data}.', { field: 'files' });
  }
  if (given.length > mostFiles)
    throw new ValidationError({ files: [text('A message has at most {max} files.', { max: mostFiles })] });
  return given.map(({ name, type, data }) => ({ name: plainName(name), type: plainType(type), data }));
}

/** As the server, here and below: files belong to messages; the callers check who may read or comment on the record. */
export async function attachFiles(env: Env, message: number, files: readonly SentFile[]): Promise<void> {
  if (files.length === 0) return;
  await env
    .sudo()
    .model('mail.message.file')
    .createMany(
      files.map(({ name, type, data }) => ({
        message_id: message,
        name,
        mimetype: type,
        size: Buffer.byteLength(data, 'base64'),
        data,
      })),
    );
}

/** The attachments of these messages, by message. */
export async function filesOf(env: Env, messages: readonly number[]): Promise<ReadonlyMap<number, ShownFile[]>> {
  const found = new Map<number, ShownFile[]>();
  if (messages.length === 0) return found;
  const rows = await env
    .sudo()
    .model('mail.message.file')
    .searchRead(
      [
        ['message_id', 'in', [...messages]],
        ['removed_at', '=', null],
      ],
      ['message_id', 'name', 'mimetype', 'size'],
      { order: 'id' },
    );
  for (const { id, message_id: message, name, mimetype: type, size } of rows) {
    const own = found.get(message) ?? [];
    found.set(message, own);
    own.push({ id, name, type, size });
  }
  return found;
}

/** The file itself, for users who may read the record of its message. */
export async function sendFile(env: Env, id: number): Promise<RouteAnswer> {
  const files = env.sudo().model('mail.message.file');
  const [file] = await files.searchRead(
    [['id', '=', id], ['removed_at', '=', null], ...messagesFor(env, 'message_id.')],
    ['name', 'mimetype', 'data', 'message_id.model', 'message_id.res_id'],
  );
  const thread = { model: String(file?.['message_id.model']), id: Number(file?.['message_id.res_id']) };
  // Guessing ids of files reveals neither that there is one nor what it is about.
  if (!file || !(await isAllowed(checkThread(env, thread))))
    throw new KontorError('NOT_FOUND', 'There is no such file.');
  const isDrawn = drawable.has(file.mimetype);
  return fileAnswer({
    ...{ name: file.name, content: Buffer.from(file.data, 'base64'), isShown: isDrawn },
    ...(isDrawn && { type: file.mimetype }),
    // Attachments never change, and only this user's browser may cache them.
    headers: { 'cache-control': 'private, max-age=86400, immutable' },
  });
}

/** A file of a message to or from the customer of a record; null if there is none. The callers check that they may see the record. */
export async function sharedFile(env: Env, id: number, { model, id: recordId }: Thread) {
  const [file] = await env
    .sudo()
    .model('mail.message.file')
    .searchRead(
      [
        ['id', '=', id],
        ['removed_at', '=', null],
        ['message_id.model', '=', model],
        ['message_id.res_id', '=', recordId],
        ['message_id.is_shared', '=', true],
      ],
      ['name', 'data'],
    );
  return file ?? null;
}

function isFile(item: unknown): item is SentFile {
  if (typeof item !== 'object' || item === null) return false;
  const { name, type, data } = item as Record<string, unknown>;
  return typeof name === 'string' && typeof type === 'string' && typeof data === 'string' && data !== '';
}

/** No folders and no invisible characters: it becomes a file name on a user's disk. */
export function plainName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) as string;
  return last.replaceAll(/\p{C}/gu, '').trim().slice(0, 255) || 'file';
}

export function plainType(type: string): string {
  return /^[a-z]+\/[a-z0-9.+-]{1,100}$/i.test(type) ? type.toLowerCase() : 'application/octet-stream';
}
