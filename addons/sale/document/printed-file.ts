interface PrintedFile {
  readonly model: string;
  readonly id: number;
  readonly name: string;
  readonly body: Buffer;
  readonly mimetype?: string;
}

/** A document of a record, for the users of its route; the audit trail records who printed it. */
export function printedFile({ model, id, name, body, mimetype = 'application/pdf' }: PrintedFile) {
  const disposition = mimetype === 'application/pdf' ? 'inline' : 'attachment';
  return {
    printed: { model, ids: [id] },
    headers: {
      'content-type': mimetype,
      'content-disposition': `${disposition}; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`,
      'cache-control': 'private, no-store',
    },
    body,
  };
}
