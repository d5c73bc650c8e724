import { fileAnswer } from '@kontor/addon';

interface PrintedFile {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly body: Buffer;
  readonly mimetype?: string;
}

/** A document of a record, for the users of its route; the audit trail records who printed it. */
export function printedFile({ model, id, name, body, mimetype = 'application/pdf' }: PrintedFile) {
  const isShown = mimetype === 'application/pdf';
  return { printed: { model, ids: [id] }, ...fileAnswer({ name, type: mimetype, content: body, isShown }) };
}
