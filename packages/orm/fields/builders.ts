import type { FieldSpec, FieldType } from './spec.ts';

export type FieldOptions = Omit<FieldSpec, 'type' | 'selection' | 'relation' | 'inverse'>;

/** The builders without types for the models they name: what the kernel and tests use. Authors have `@kontor/addon`. */
export const fields = Object.freeze({
  char: (options: FieldOptions = {}) => make('char', options),
  text: (options: FieldOptions = {}) => make('text', options),
  html: (options: FieldOptions = {}) => make('html', options),
  integer: (options: FieldOptions = {}) => make('integer', options),
  float: (options: FieldOptions = {}) => make('float', options),
  decimal: (options: FieldOptions = {}) => make('decimal', options),
  monetary: (options: FieldOptions = {}) => make('monetary', options),
  boolean: (options: FieldOptions = {}) => make('boolean', options),
  date: (options: FieldOptions = {}) => make('date', options),
  datetime: (options: FieldOptions = {}) => make('datetime', options),
  binary: (options: FieldOptions = {}) => make('binary', options),
  image: (options: FieldOptions = {}) => make('image', options),
  json: (options: FieldOptions = {}) => make('json', options),
  selection: (selection: Readonly<Record<string, string>>, options: FieldOptions = {}) =>
    make('selection', { ...options, selection: Object.freeze({ ...selection }) }),
  many2one: (relation: string, options: FieldOptions = {}) => make('many2one', { ...options, relation }),
  one2many: (relation: string, inverse: string, options: FieldOptions = {}) =>
    make('one2many', { ...options, relation, inverse }),
  /** `inverse` names the many2many on the other side, which then shares its table. */
  many2many: (relation: string, options: FieldOptions & { readonly inverse?: string } = {}) =>
    make('many2many', { ...options, relation }),
  /** `models` bounds what it may point at; any model when absent. */
  reference: (options: FieldOptions = {}) => make('reference', options),
});

function make(type: FieldType, options: Omit<FieldSpec, 'type'>): FieldSpec {
  return Object.freeze({ ...options, type });
}
