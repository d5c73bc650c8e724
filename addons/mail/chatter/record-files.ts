import { checkRight, type Env, KontorError } from '@kontor/addon';
import type { ShownFile } from './message-files.ts';
import { publishPosted } from './post-message.ts';
import { namesSeen } from './read-chatter.ts';
import { checkMayComment, checkThread, isAllowed, messagesFor, type Thread, threadDetails } from './thread.ts';

/** A file of a record, of any message. */
interface RecordFile extends ShownFile {
  readonly author: { readonly id: number; readonly name: string };
  readonly date: string;
  readonly mayRemove: boolean;
}

const mostFiles = 500;

/**
 * All files of a record, newest first. As the server, here and below: files have no access rights of their own; readers
 * of the record may read them.
 */
export async function readFiles(env: Env, thread: Thread): Promise<{ readonly files: readonly RecordFile[] }> {
  await checkThread(env, thread);
  const rows = await env
    .sudo()
    .model('mail.message.file')
    .searchRead(
      [
        ['message_id.model', '=', thread.model],
        ['message_id.res_id', '=', thread.id],
        ['removed_at', '=', null],
        ...messagesFor(env, 'message_id.'),
      ],
      ['name', 'mimetype', 'size', 'create_date', 'message_id.author_id', 'message_id.date'],
      { order: '-id', limit: mostFiles },
    );
  const authorOf = (row: (typeof rows)[number]) => Number(row['message_id.author_id'] ?? 0);
  const names = await namesSeen(env, rows.map(authorOf).filter(Boolean));
  const rights = await removalRights(env, thread);
  const files = rows.map((row) => ({
    id: row.id,
    name: row.name,
    type: row.mimetype,
    size: row.size,
    author: { id: authorOf(row), name: names.get(authorOf(row)) ?? 'Somebody' },
    date: String(row['message_id.date'] ?? row.create_date),
    mayRemove: rights(authorOf(row)),
  }));
  return { files };
}

/** For callers that have checked that the record may be read. */
export async function countFiles(env: Env, thread: Thread): Promise<number> {
  return env
    .sudo()
    .model('mail.message.file')
    .count([
      ['message_id.model', '=', thread.model],
      ['message_id.res_id', '=', thread.id],
      ['removed_at', '=', null],
      ...messagesFor(env, 'message_id.'),
    ]);
}

/** Removes files of a record, or restores them; all of them, or none. */
export async function setRemoved(env: Env, thread: Thread, ids: readonly number[], isRemoved: boolean): Promise<void> {
  await checkThread(env, thread);
  const files = env.sudo().model('mail.message.file');
  const rows = await files.searchRead(
    [
      ['id', 'in', [...new Set(ids)]],
      ['message_id.model', '=', thread.model],
      ['message_id.res_id', '=', thread.id],
    ],
    ['message_id', 'message_id.author_id'],
  );
  const [first] = rows;
  if (!first || rows.length < new Set(ids).size) throw new KontorError('NOT_FOUND', 'There is no such file.');
  const mayRemove = await removalRights(env, thread);
  if (!rows.every((row) => mayRemove(Number(row['message_id.author_id'] ?? 0)))) {
    throw new KontorError(
      'ACCESS_DENIED',
      'Only the person who added a file, or someone who may change the record, can remove it.',
    );
  }
  await files.write(
    rows.map(({ id }) => id),
    { removed_at: isRemoved ? env.now.toISOString() : null },
  );
  await publishPosted(env, await threadDetails(env, thread), first.message_id);
}

/** Users who may change the record can remove any of its files; users who may only comment can remove their own. */
async function removalRights(env: Env, thread: Thread): Promise<(author: number) => boolean> {
  if (await isAllowed(checkRight(env, thread.model, [thread.id], 'write'))) return () => true;
  const mayTalk = await isAllowed(checkMayComment(env, thread));
  return (author) => mayTalk && author === env.uid;
}
