import { hash } from 'node:crypto';
import { type CreateValues, type Env, openPath, type RecordOf } from '@kontor/addon';
import { drawInvoice } from './draw-invoice.ts';

type Kind = RecordOf<'invoice.document'>['kind'];

/** The document of a posted invoice: drawn once, and the same bytes ever after. */
export async function archivedInvoice(env: Env, invoiceId: number) {
  const known = await findDocument(env, invoiceId, 'invoice');
  if (known) return known;
  const { name, pdf } = await drawInvoice(env, invoiceId);
  return { id: await archive(env, pdf, { invoice_id: invoiceId, kind: 'invoice', name }), name, pdf };
}

/** The first one of its kind; null if there is none. */
export async function findDocument(env: Env, invoiceId: number, kind: Kind) {
  const [known] = await env.model('invoice.document').searchRead(
    [
      ['invoice_id', '=', invoiceId],
      ['kind', '=', kind],
    ],
    ['name', 'data'],
    { order: 'id', limit: 1 },
  );
  return known ? { id: known.id, name: known.name, pdf: Buffer.from(known.data, 'base64') } : null;
}

type Values = Omit<CreateValues<'invoice.document'>, 'data' | 'sha256'>;

/** As the server: nobody writes the archive by hand. Without a recipient, it was printed. */
export function archive(env: Env, content: Buffer, values: Values): Promise<number> {
  const documents = env.sudo().model('invoice.document');
  return documents.create({ ...values, data: content, sha256: hash('sha256', content) });
}

export function documentPath(id: number, kind: Kind = 'invoice'): string {
  return `/web/invoice/document/${id}.${kind === 'xrechnung' ? 'xml' : 'pdf'}`;
}

export const openDocument = (id: number, kind?: Kind) => openPath(documentPath(id, kind));
