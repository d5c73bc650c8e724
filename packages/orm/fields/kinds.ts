import { binaryKind } from './binary.ts';
import { booleanKind } from './boolean.ts';
import { charKind } from './char.ts';
import { dateKind } from './date.ts';
import { datetimeKind } from './datetime.ts';
import { decimalKind } from './decimal.ts';
import { floatKind } from './float.ts';
import { htmlKind } from './html.ts';
import { imageKind } from './image.ts';
import { integerKind } from './integer.ts';
import { jsonKind } from './json.ts';
import type { FieldKind } from './kind.ts';
import { many2oneKind } from './many2one.ts';
import { monetaryKind } from './monetary.ts';
import { referenceKind } from './reference.ts';
import { selectionKind } from './selection.ts';
import type { FieldType } from './spec.ts';
import { textKind } from './text.ts';
import { x2manyKind } from './x2many.ts';

/** What each field type knows. */
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
  many2many: x2manyKind,
  many2one: many2oneKind,
  monetary: monetaryKind,
  one2many: x2manyKind,
  reference: referenceKind,
  selection: selectionKind,
  text: textKind,
});
