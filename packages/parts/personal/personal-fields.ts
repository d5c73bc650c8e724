import type { Field, Model } from '@kontor/orm';

/** Stored fields with personal data. Values computed from them follow automatically. */
export function personalFields(model: Model): readonly Field[] {
  return [...model.fields.values()].filter(
    (field) => field.spec.personal === true && field.column !== null && (field.compute === null || field.isEditable),
  );
}

/**
 * Whether this many2one makes records parts of others: a declared one, or that of quiet records that are deleted with
 * them.
 */
export function isPartLink(model: Model, { name, kind, column, required, spec }: Field): boolean {
  if (!kind.isToOne || column === null) return false;
  return name === model.partOf || (model.quiet && required && spec.ondelete === 'cascade');
}

/** The fields for name, bytes and media type of a model whose records are files; null: they are something else. */
export function fileFields(model: Model): { readonly name: Field; readonly data: Field; readonly type: Field } | null {
  const personal = personalFields(model);
  const name = personal.find((field) => field.name === 'name' && field.kind.isShort);
  const data = personal.find(({ kind }) => kind.isFile && !kind.isImage);
  const type = model.fields.get('mimetype');
  return name && data && type && type.column !== null ? { name, data, type } : null;
}
