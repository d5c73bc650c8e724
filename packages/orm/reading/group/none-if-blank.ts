import { type Sql, sql } from '@kontor/database';
import type { Field } from '../../model/model.ts';

/** An empty text is no text: domains do not tell them apart, so neither do groups and counts. */
export function noneIfBlank(field: Field, value: Sql): Sql {
  const mayBeBlank = field.kind.isText || field.selection?.has('') === true;
  return mayBeBlank ? sql`nullif(${value}, '')` : value;
}
