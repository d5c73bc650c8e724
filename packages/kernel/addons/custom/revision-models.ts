import { createHash } from 'node:crypto';
import { type Queryable, sql } from '@kontor/database';
import { defineModel, type FieldsOf, fields } from '@kontor/orm/author';
import { type CustomDocument, canonicalJson, emptyDocument } from './document.ts';

const revisionFields = {
  number: fields.integer({ required: true, unique: true, aggregate: 'none', label: 'Revision' }),
  author_id: fields.many2one('core.user', { label: 'Author', ondelete: 'set null' }),
  note: fields.char({ size: 500 }),
  /** What changed, one sentence each, in English: `[text, values]`. */
  changes: fields.json({}),
  document: fields.json({ required: true }),
  checksum: fields.char({ required: true, size: 64 }),
  pending: fields.json({ label: 'Existing records that wait for values' }),
};
export interface SysCustomRevision extends FieldsOf<typeof revisionFields> {}

const draftFields = {
  name: fields.char({ required: true, unique: true, size: 64 }),
  base: fields.integer({
    required: true,
    default: 0,
    aggregate: 'none',
    help: 'The revision that the draft began with.',
  }),
  version: fields.integer({ required: true, default: 1, aggregate: 'none', help: 'Grows with every change.' }),
  document: fields.json({ required: true }),
};
export interface SysCustomDraft extends FieldsOf<typeof draftFields> {}

declare module '@kontor/orm' {
  interface Models {
    'sys.custom.revision': SysCustomRevision;
    'sys.custom.draft': SysCustomDraft;
  }
}

const noCompany = 'Models and screens are the same for every company.';

/** Published customisations. Only the server writes them, each once. */
export const sysCustomRevision = defineModel('sys.custom.revision', {
  label: 'Revision of the customisation',
  noCompany,
  closedToAgents: true,
  order: '-number',
  displayName: '{number}',
  fields: revisionFields,
});

/** The customisation that is being edited: one for everybody. */
export const sysCustomDraft = defineModel('sys.custom.draft', {
  label: 'Draft of the customisation',
  noCompany,
  closedToAgents: true,
  order: 'id',
  fields: draftFields,
});

export interface PublishedDocument {
  /** 0: nothing was published yet. */
  readonly number: number;
  readonly document: CustomDocument;
}

export const nothingPublished: PublishedDocument = { number: 0, document: emptyDocument };

/** The newest revision. */
export async function readPublished(db: Queryable): Promise<PublishedDocument> {
  const [table] = await db.query<{ is_there: boolean }>(
    sql`select to_regclass('sys_custom_revision') is not null as is_there`,
  );
  if (!table?.is_there) return nothingPublished;
  const [row] = await db.query<{ number: number; document: string }>(
    sql`select number, document::text as document from sys_custom_revision order by number desc limit 1`,
  );
  return row ? { number: row.number, document: JSON.parse(row.document) as CustomDocument } : nothingPublished;
}

/** The same for equal documents, whatever the order of their keys. */
export function documentChecksum(document: CustomDocument): string {
  return createHash('sha256').update(canonicalJson(document)).digest('hex');
}
