/** How a field's values are compared. */
export type ValueType =
  | 'id'
  | 'text'
  | 'integer'
  | 'float'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'many2one'
  | 'x2many'
  | 'opaque';

const valueTypes: ReadonlyMap<string, ValueType> = new Map([
  ['char', 'text'],
  ['text', 'text'],
  ['html', 'text'],
  ['selection', 'text'],
  ['reference', 'text'],
  ['integer', 'integer'],
  ['float', 'float'],
  ['decimal', 'decimal'],
  ['monetary', 'decimal'],
  ['boolean', 'boolean'],
  ['date', 'date'],
  ['datetime', 'datetime'],
  ['many2one', 'many2one'],
  ['one2many', 'x2many'],
  ['many2many', 'x2many'],
]);

export function valueTypeOf(fieldType: string, fieldName: string): ValueType {
  if (fieldName === 'id') return 'id';
  return valueTypes.get(fieldType) ?? 'opaque';
}
