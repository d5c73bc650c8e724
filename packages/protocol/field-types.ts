import { type ValueType, valueTypes } from './domain/value-types.ts';
import type { Measure } from './wire/rpc.ts';

/** How a value of the type is shown to users. */
export type ShownAs = 'text' | 'html' | 'number' | 'money' | 'boolean' | 'date' | 'datetime' | 'choice' | 'json';

/** What server and client know about a field type. All code that depends on the type asks here. */
export interface FieldTypeTraits {
  /** How its values are compared. */
  readonly valueType: ValueType;
  readonly shownAs: ShownAs;
  /** Free text: char, text and html. */
  readonly isText: boolean;
  /** Text of one line: char. */
  readonly isShort: boolean;
  /** Plain text of several lines: text. */
  readonly isLong: boolean;
  readonly isNumber: boolean;
  /** A number without decimals. */
  readonly isWhole: boolean;
  /** A number that is exact to the last digit: decimal and monetary. */
  readonly isExact: boolean;
  readonly isMoney: boolean;
  readonly isBoolean: boolean;
  /** Has a day: date and datetime. */
  readonly isDate: boolean;
  /** Has a time of day: datetime. */
  readonly isInstant: boolean;
  readonly isChoice: boolean;
  readonly isJson: boolean;
  /** Bytes: binary and image. */
  readonly isFile: boolean;
  readonly isImage: boolean;
  /** References records of one other model: many2one, one2many and many2many. */
  readonly isRelation: boolean;
  /** References one record: many2one. */
  readonly isToOne: boolean;
  /** References any number of records: one2many and many2many. */
  readonly isList: boolean;
  /** Records that refer back and are parts of this one: one2many. */
  readonly isLines: boolean;
  /** Independent records, linked through a join table: many2many. */
  readonly isLinks: boolean;
  /** References a record of any of several models. */
  readonly isReference: boolean;
  /** Can only be tested for being empty: files and JSON. */
  readonly isOpaque: boolean;
  /** Has a least and a greatest value. */
  readonly isOrdered: boolean;
  /** Records can be sorted by it, if the database has its value. */
  readonly isSortable: boolean;
  readonly isGroupable: boolean;
}

const plain: FieldTypeTraits = {
  valueType: valueTypes.opaque,
  shownAs: 'text',
  isText: false,
  isShort: false,
  isLong: false,
  isNumber: false,
  isWhole: false,
  isExact: false,
  isMoney: false,
  isBoolean: false,
  isDate: false,
  isInstant: false,
  isChoice: false,
  isJson: false,
  isFile: false,
  isImage: false,
  isRelation: false,
  isToOne: false,
  isList: false,
  isLines: false,
  isLinks: false,
  isReference: false,
  isOpaque: false,
  isOrdered: false,
  isSortable: true,
  isGroupable: true,
};

function traits(own: Partial<FieldTypeTraits>): FieldTypeTraits {
  return Object.freeze({ ...plain, ...own });
}

const text = { valueType: valueTypes.text, isText: true } as const;
const number = { shownAs: 'number', isNumber: true, isOrdered: true } as const;
const exact = { ...number, valueType: valueTypes.decimal, isExact: true } as const;
const list = { valueType: valueTypes.x2many, isRelation: true, isList: true, isSortable: false } as const;
const opaque = { isOpaque: true, isSortable: false, isGroupable: false } as const;
const file = { ...opaque, isFile: true } as const;

export const fieldTypes = Object.freeze({
  char: traits({ ...text, isShort: true, isOrdered: true }),
  text: traits({ ...text, isLong: true, isOrdered: true }),
  html: traits({ ...text, shownAs: 'html' }),
  integer: traits({ ...number, valueType: valueTypes.integer, isWhole: true }),
  float: traits({ ...number, valueType: valueTypes.float }),
  decimal: traits(exact),
  monetary: traits({ ...exact, shownAs: 'money', isMoney: true }),
  boolean: traits({ valueType: valueTypes.boolean, shownAs: 'boolean', isBoolean: true }),
  date: traits({ valueType: valueTypes.date, shownAs: 'date', isDate: true, isOrdered: true }),
  datetime: traits({
    valueType: valueTypes.datetime,
    shownAs: 'datetime',
    isDate: true,
    isInstant: true,
    isOrdered: true,
  }),
  selection: traits({ valueType: valueTypes.text, shownAs: 'choice', isChoice: true, isOrdered: true }),
  binary: traits(file),
  image: traits({ ...file, isImage: true }),
  json: traits({ ...opaque, shownAs: 'json', isJson: true }),
  many2one: traits({ valueType: valueTypes.many2one, isRelation: true, isToOne: true }),
  one2many: traits({ ...list, isLines: true, isGroupable: false }),
  many2many: traits({ ...list, isLinks: true }),
  reference: traits({ valueType: valueTypes.text, isReference: true }),
} satisfies Record<string, FieldTypeTraits>);

export type FieldType = keyof typeof fieldTypes;

/** The names of the types that match a condition. */
export function typesThat(holds: (type: FieldTypeTraits) => boolean): readonly FieldType[] {
  return (Object.keys(fieldTypes) as FieldType[]).filter((name) => holds(fieldTypes[name]));
}

/** The traits of a type by its wire name; for an unknown type, all are false. */
export function fieldType(name: string | undefined): FieldTypeTraits {
  return name !== undefined && Object.hasOwn(fieldTypes, name) ? fieldTypes[name as FieldType] : plain;
}

/** How a number is aggregated, if not by its sum; `none` for a number that is a name, such as a port. */
export type Aggregate = 'average' | 'ratio' | 'none';

/** Whether a measure is meaningful for the type and the aggregate. */
export function hasMeasure(type: FieldTypeTraits, measure: Measure, aggregate?: Aggregate): boolean {
  if (type.isList) return false;
  if (measure === 'ratio') return aggregate === 'ratio';
  if (measure === 'sum' && aggregate !== undefined) return false;
  if (measure === 'sum' || measure === 'avg') return type.isNumber && aggregate !== 'none';
  if (measure === 'min' || measure === 'max') return type.isOrdered;
  return measure === 'count' || !type.isOpaque;
}

export function valueTypeOf(type: string, fieldName: string): ValueType {
  return fieldName === 'id' ? valueTypes.id : fieldType(type).valueType;
}
