import { BadValue, type Field } from '@kontor/orm';

/**
 * What a text in a data file means for a field. Only the field's type decides: `007` stays text in a text field. An empty
 * text means no value; undefined lets the field's default or compute stand.
 */
export function textValue(field: Field, given: string): unknown {
  // Only what an editor adds: a no-break space is how some languages group digits.
  const text = given.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  if (text === '') return field.spec.default === undefined && !field.isEditable ? null : undefined;
  if (field.kind.isRelation) throw new BadValue('Give external ids, by ref in XML or in a column ":ref" in CSV.');
  return field.kind.fromText(field.kind.isText ? given : text, field, null);
}
