import type { Model } from '@kontor/orm';
import type { Translate } from '@kontor/protocol';
import type { ViewNode } from '../view-node.ts';
import { fieldsOfKind, isDull, ownerField, startField, statusField } from './main-fields.ts';
import { type MakeNode, nodeMaker, rootOf } from './make-node.ts';

const mostFields = 10;
const mostGroups = 6;
const mostStates = 8;

/** Texts and related records to look for, the usual filters, and what records can be grouped by. */
export function generateSearch(model: Model, translate: Translate): ViewNode {
  const make = nodeMaker(model);
  const texts = fieldsOfKind(model, (kind) => kind.isShort).filter((field) => field.isStored);
  const related = fieldsOfKind(model, (kind) => kind.isToOne).filter((field) => field.isStored && !isDull(field));
  const looked = [...texts, ...related].slice(0, mostFields);
  const fields = looked.map((field) => make('field', { name: field.name }));
  const sections = [
    mine(make, model, translate),
    states(make, model),
    archived(make, model, translate),
    groups(make, model),
  ];
  const filters = sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : [make('separator'), ...section]));
  return rootOf(make, model, 'search', [...fields, ...filters]);
}

function mine(make: MakeNode, model: Model, translate: Translate): readonly ViewNode[] {
  const owner = ownerField(model);
  if (!owner) return [];
  return [
    make('filter', { name: 'mine', label: translate('Mine'), domain: JSON.stringify([[owner.name, '=', '$uid']]) }),
  ];
}

function states(make: MakeNode, model: Model): readonly ViewNode[] {
  const field = statusField(model);
  const values = [...(field?.selection ?? [])].slice(0, mostStates);
  return values.map(([value, label]) =>
    make('filter', {
      name: `is_${value.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`,
      label,
      domain: JSON.stringify([[field?.name, '=', value]]),
    }),
  );
}

function archived(make: MakeNode, model: Model, translate: Translate): readonly ViewNode[] {
  if (!model.hasActive) return [];
  return [make('filter', { name: 'archived', label: translate('Archived'), domain: '[["active", "=", false]]' })];
}

function groups(make: MakeNode, model: Model): readonly ViewNode[] {
  const status = statusField(model);
  const related = fieldsOfKind(model, (kind) => kind.isChoice || kind.isToOne).filter(
    (field) => field.isStored && field !== status && !isDull(field),
  );
  const start = startField(model);
  const fields = [...(status ? [status] : []), ...(start ? [start] : []), ...related].slice(0, mostGroups);
  return fields.map((field) =>
    make('filter', {
      name: `by_${field.name}`,
      label: field.label,
      'group-by': field.kind.isDate ? `${field.name}:month` : field.name,
    }),
  );
}
