import { queue, text } from '@kontor/protocol';
import { openThread } from '../thread/open-thread.ts';
import { badFile, isWorkbook } from './open-table.ts';
import { type FileTable, type FromUpload, readFile, type ToUpload } from './read-file.ts';
import { tooLarge } from './workbook/read-workbook.ts';

/** An uploaded file, read. */
export interface ReadFile extends FileTable {
  /** Kept only where another sheet could be chosen. */
  readonly workbook: Buffer | null;
}

/** Below this size reading a CSV file takes less time than starting a thread. */
const smallFile = 65_536;
/** Each may take hundreds of megabytes. */
const uploads = queue(2);

/** Reads an uploaded file in a thread of its own. Other kinds of files are rejected with advice. */
export async function readUpload(content: Buffer, sheet: string | null = null): Promise<ReadFile> {
  const isSmall = content.length < smallFile && !isWorkbook(content);
  const file = isSmall ? await readFile(content, sheet) : await uploads.run(() => readInThread(content, sheet));
  return { ...file, workbook: file.sheets.length > 1 ? content : null };
}

async function readInThread(content: Buffer, sheet: string | null): Promise<FileTable> {
  const thread = await openThread<ToUpload, FromUpload>('upload');
  try {
    const answer = await new Promise<FromUpload>((resolve, reject) => {
      thread.onMessage(resolve);
      thread.onFailure((error) => reject(isOutOfMemory(error) ? badFile(tooLarge) : error));
      thread.post({ content, sheet });
    });
    if ('file' in answer) return answer.file;
    if ('refused' in answer) throw badFile(text(answer.refused.english, answer.refused.params));
    throw new Error(`The file could not be read: ${answer.error}`);
  } finally {
    thread.close();
  }
}

function isOutOfMemory(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
