import { createHash } from 'node:crypto';
import type { Env } from '@kontor/addon';
import { drawInvoice } from './draw-invoice.ts';

export interface Letter {
  readonly recipient: string;
  readonly subject: string;
  readonly body: string;
}

export interface Archived {
  readonly id: number;
  readonly name: string;
  readonly pdf: Buffer;
}

/** The document of a posted invoice: drawn once, and the same bytes ever after. */
export async function archivedInvoice(env: Env, invoiceId: number): Promise<Archived> {
  const [known] = await env.model('invoice.document').searchRead(
    [
      ['invoice_id', '=', invoiceId],
      ['kind', '=', 'invoice'],
    ],
    ['name', 'data'],
    { order: 'id', limit: 1 },
  );
  if (known) return { id: known.id, name: known.name, pdf: Buffer.from(known.data, 'base64') };
  const { name, pdf } = await drawInvoice(env, invoiceId);
  return { id: await archive(env, invoiceId, { kind: 'invoice', name, pdf }), name, pdf };
}

interface Document {
  readonly kind: 'invoice' | 'reminder' | 'xrechnung';
  readonly name: string;
  /** Or XML. */
  readonly pdf: Buffer;
  readonly mimetype?: string;
  /** Absent: it was printed. */
  readonly letter?: Letter;
}

/** As the server: nobody writes the archive by hand. */
export function archive(
  env: Env,
  invoice_id: number,
  { kind, name, pdf, letter, mimetype = 'application/pdf' }: Document,
): Promise<number> {
  return env
    .sudo()
    .model('invoice.document')
    .create({
      invoice_id,
      kind,
      name,
      mimetype,
      ...letter,
      data: pdf.toString('base64'),
      sha256: createHash('sha256').update(pdf).digest('hex'),
      user_id: env.uid > 0 ? env.uid : null,
    });
}
