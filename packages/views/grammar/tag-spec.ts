import type { FieldType } from '@kontor/orm';

/** An attribute, with its description for docs/views.md. */
export const attributeKinds = {
  text: 'text',
  name: 'a technical name: lower-case letters, digits, `_`',
  id: 'the external id of the record, without its module',
  boolean: '`true` or `false`',
  integer: 'a whole number',
  choice: 'one of the values named',
  json: 'a JSON object',
  model: 'the name of a model',
  field: 'a field of the model',
  fields: 'fields of the model, with commas between them',
  path: 'a field of the model, or a path to one through many2ones: `partner_id.city`',
  order: 'fields to sort by, `-` before those that descend: `name, -date`',
  'group-by': 'a field to group by, dates with a granularity: `date_order:month`',
  'group-bys': 'fields to group by, with commas between them, dates with a granularity',
  domain: 'a domain on the model, as JSON',
  'relation-domain': 'a domain on the model that the field points at, as JSON',
  condition: '`true`, `false`, or a domain on the record on screen, as JSON',
  widget: 'the name of a widget',
  groups: 'external ids of groups, with commas between them; who is in none of them does not get the node',
  'action-name':
    'an object action of the model, the external id of a window action, or a command of the client, as `type` says',
  move: 'a move of the model, by its name',
  action: 'the external id of a window action',
  menu: 'the external id of a menu',
  view: 'the external id of a view',
  'view-type': 'a view type that an addon brings',
  'view-types': 'view types, with commas between them, the first one opens',
  xpath: 'an XPath 1.0 expression',
} as const;
export type AttributeKind = keyof typeof attributeKinds;

export interface AttributeSpec {
  readonly kind: AttributeKind;
  readonly doc: string;
  readonly example: string;
  /** Additional attributes that the example needs. */
  readonly with?: Readonly<Record<string, string>>;
  readonly isRequired?: boolean;
  /** The options of a choice. */
  readonly values?: readonly string[];
  /** Types that the field, or each of the fields, may have. */
  readonly fieldTypes?: readonly FieldType[];
}
export type AttributeSpecs = Readonly<Record<string, AttributeSpec>>;

/** How often a child may occur in its parent: at most once, exactly once, any number, at least once. */
export type Occurrence = 'one' | 'must' | 'many' | 'some';

export interface TagSpec {
  readonly tag: string;
  readonly doc: string;
  readonly attributes: AttributeSpecs;
  /** Allowed children. `any`: what the inherited view allows, checked once it is composed. */
  readonly children: Readonly<Record<string, Occurrence>> | 'any';
  /** Whether text is allowed inside. */
  readonly text?: 'may' | 'must';
  readonly example: string;
  /** A view that contains the example, at `…`; by default the example is a complete view. */
  readonly within?: string;
}
export type TagSpecs = Readonly<Record<string, TagSpec>>;
