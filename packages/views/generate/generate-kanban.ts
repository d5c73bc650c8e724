import type { Field, Model } from '@kontor/orm';
import type { ViewNode } from '../view-node.ts';
import {
  fieldsOfType,
  isDull,
  measureField,
  nameField,
  ownerField,
  sequenceField,
  statusField,
} from './main-fields.ts';
import { nodeMaker, rootOf } from './make-node.ts';

const lines = 3;

/** Cards in the columns of a stage or state; null for models that have neither. */
export function generateKanban(model: Model): ViewNode | null {
  const status = statusField(model);
  if (!status) return null;
  const make = nodeMaker(model);
  const name = nameField(model);
  const owner = ownerField(model);
  const measure = measureField(model);
  const isUsed = (field: Field) => [status, name, owner, measure].includes(field) || isDull(field);
  const others = fieldsOfType(model, 'many2one', 'date', 'datetime', 'char').filter((field) => !isUsed(field));
  const footer = [
    ...(measure ? [make('field', { name: measure.name })] : []),
    ...(owner ? [make('field', { name: owner.name, widget: 'many2one_avatar' })] : []),
  ];
  const card = make('card', { color: model.fields.get('color')?.kind.isWhole ? 'color' : undefined }, [
    make('title', {}, [make('field', { name: name?.name ?? 'display_name' })]),
    ...others.slice(0, lines).map((field) => make('field', { name: field.name })),
    ...(footer.length > 0 ? [make('footer', {}, footer)] : []),
  ]);
  return rootOf(make, model, 'kanban', [card], {
    'group-by': status.name,
    sums: measure?.name,
    handle: sequenceField(model)?.name,
  });
}
