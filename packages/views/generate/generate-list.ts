import type { Field, FieldType, Model } from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { fieldsOfType, isDull, nameField, sequenceField } from './main-fields.ts';
import { nodeMaker, rootOf } from './make-node.ts';

const shown = 7;
const offered = 14;
const columnTypes: readonly FieldType[] = [
  'char',
  'selection',
  'many2one',
  'date',
  'datetime',
  'monetary',
  'decimal',
  'float',
  'integer',
  'boolean',
  'many2many',
];

/** The main fields of a model as columns; some more that people may switch on. */
export function generateList(model: Model, translate: Translate): ViewNode {
  const make = nodeMaker(model);
  const name = nameField(model);
  const handle = sequenceField(model);
  const others = fieldsOfType(model, ...columnTypes).filter((field) => field !== name && field !== handle);
  const fields = [...others.filter((field) => !isDull(field)), ...others.filter((field) => isDull(field))];
  const isNamed = name !== null || others.some((field) => field.kind.isShort);
  const first = name || !isNamed ? [make('field', { name: name?.name ?? 'display_name' })] : [];
  const columns = fields.slice(0, offered).map((field, index) =>
    make('field', {
      name: field.name,
      ...columnLook(field, translate),
      optional: index < shown && !isDull(field) ? undefined : 'hide',
    }),
  );
  return rootOf(make, model, 'list', [...first, ...columns], { handle: handle?.name });
}

function columnLook(field: Field, translate: Translate): Readonly<Record<string, string>> {
  if (field.kind.isChoice) return { widget: 'badge' };
  if (field.kind.isLinks) return { widget: 'tags' };
  return field.kind.isMoney && field.isStored ? { sum: translate('Total') } : {};
}
