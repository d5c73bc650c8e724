import { type FieldSpec, type FieldType, inferredType } from '../fields/spec.ts';
import { freezeData } from '../model/freeze-data.ts';
import type { FieldBuilders } from './field-builders.ts';

type Options = Omit<FieldSpec, 'type'>;

type Typed<Type extends FieldType> = FieldSpec & { readonly type: Type };

const plain =
  <Type extends FieldType>(type: Type) =>
  (options: Options = {}): Typed<Type> =>
    freezeData({ ...options, type });

/** Builders that take any model's name: for the kernel and for tests. Authors have stricter types, in `@kontor/addon`. */
export const fields: FieldBuilders<string> = Object.freeze({
  char: plain('char'),
  text: plain('text'),
  html: plain('html'),
  integer: plain('integer'),
  float: plain('float'),
  decimal: plain('decimal'),
  monetary: plain('monetary'),
  boolean: plain('boolean'),
  date: plain('date'),
  datetime: plain('datetime'),
  binary: plain('binary'),
  image: plain('image'),
  json: plain('json'),
  reference: plain('reference'),
  selection: (selection: Readonly<Record<string, string>>, options?: Options) =>
    plain('selection')({ ...options, selection: { ...selection } }),
  many2one: (relation: string, options?: Options) => plain('many2one')({ ...options, relation }),
  one2many: (relation: string, inverse: string, options?: Options) =>
    plain('one2many')({ ...options, relation, inverse }),
  related: (path: string, options?: Options) => freezeData({ ...options, related: path, type: inferredType }),
  many2many: (relation: string, options?: Options) => plain('many2many')({ ...options, relation }),
});
