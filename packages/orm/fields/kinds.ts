import type { FieldType } from '@kontor/protocol';
import { booleanKind, selectionKind } from './choice.ts';
import { dateKind, datetimeKind } from './date.ts';
import { binaryKind, imageKind } from './file.ts';
import { jsonKind } from './json.ts';
import type { FieldKind } from './kind.ts';
import { decimalKind, floatKind, integerKind, monetaryKind } from './number.ts';
import { many2manyKind, many2oneKind, one2manyKind, referenceKind } from './relation.ts';
import { charKind, htmlKind, textKind } from './text.ts';

export const fieldKinds: Readonly<Record<FieldType, FieldKind>> = Object.freeze({
  binary: binaryKind,
  boolean: booleanKind,
  char: charKind,
  date: dateKind,
  datetime: datetimeKind,
  decimal: decimalKind,
  float: floatKind,
  html: htmlKind,
  image: imageKind,
  integer: integerKind,
  json: jsonKind,
  many2many: many2manyKind,
  many2one: many2oneKind,
  monetary: monetaryKind,
  one2many: one2manyKind,
  reference: referenceKind,
  selection: selectionKind,
  text: textKind,
});
