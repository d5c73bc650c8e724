import {
  type ChatterProps,
  readFile,
  type SentFile,
  sendComment,
  showToast,
  t,
  whileBusy,
} from '../../../door/index.ts';

/** Total per message: base64 adds a third, and a request is limited to four megabytes. */
export const maxBytes = 2_800_000;
export const maxFiles = 10;

export async function contentOf(file: File): Promise<SentFile> {
  return { name: file.name, type: file.type, data: await readFile(file) };
}

/** Adds files to a record, in as many messages as needed. Names those that are too large. */
export async function sendFiles({ model, recordId }: ChatterProps, files: Iterable<File>): Promise<void> {
  const all = [...files].filter((file) => file.size > 0);
  const tooLarge = all.filter((file) => file.size > maxBytes);
  if (tooLarge.length > 0) {
    const names = tooLarge.map((file) => file.name).join(', ');
    showToast({ kind: 'error', title: t('Larger than {mb} MB: {names}', { mb: maxBytes / 1_000_000, names }) });
  }
  for (const batch of batchesOf(all.filter((file) => file.size <= maxBytes))) {
    const read = await whileBusy(Promise.all(batch.map(contentOf)));
    sendComment({ model, id: recordId, body: '', files: read }, '');
  }
}

function batchesOf(files: readonly File[]): readonly (readonly File[])[] {
  const batches: File[][] = [];
  let room = 0;
  for (const file of files) {
    const last = batches.at(-1);
    if (last && last.length < maxFiles && file.size <= room) last.push(file);
    else {
      batches.push([file]);
      room = maxBytes;
    }
    room -= file.size;
  }
  return batches;
}
