import { type FieldType, typesThat } from '@kontor/protocol';
import type { AttributeKind, AttributeSpec, AttributeSpecs } from './tag-spec.ts';

export function attribute(kind: AttributeKind, doc: string, example: string): AttributeSpec {
  return { kind, doc, example };
}

export function choice(values: readonly string[], doc: string, example = values[0] as string): AttributeSpec {
  return { kind: 'choice', values, doc, example };
}

/** A field of the model, optionally of one of the given types. */
export function field(doc: string, example: string, fieldTypes?: readonly FieldType[]): AttributeSpec {
  return { kind: 'field', doc, example, ...(fieldTypes && { fieldTypes }) };
}

export function required(spec: AttributeSpec): AttributeSpec {
  return { ...spec, isRequired: true };
}

export const dates = typesThat((type) => type.isDate);
export const numbers = typesThat((type) => type.isNumber);

export const groups = attribute('groups', 'Who gets this; everyone when absent.', 'base.group_user');
export const invisible = attribute('condition', 'Hidden while this holds.', '[["state", "=", "cancel"]]');

/** Root attributes of a view in a file; a view inside a field has none of them. */
export const rootAttributes: AttributeSpecs = {
  id: required(attribute('id', 'The external id; others inherit by it.', 'order_view')),
  model: required(attribute('model', 'The model whose records are shown.', 'sale.order')),
  label: attribute('text', 'Name of the view among others.', 'Orders'),
  priority: attribute('integer', 'The view of lowest priority is the one shown; 16 when absent.', '10'),
  groups: { ...groups, doc: 'Who gets this view; others get the next one of the type.' },
};

/** Attributes of multi-record views, which an addon may render itself. */
export const drawnAttributes: AttributeSpecs = {
  ...rootAttributes,
  as: attribute(
    'view-type',
    'The view is of this type of an addon, which draws the same data in its own way.',
    'timeline',
  ),
};

export const looks = ['muted', 'bold', 'success', 'warning', 'danger', 'info'] as const;
export const decorations: AttributeSpecs = Object.fromEntries(
  looks.map((look) => [
    `decoration-${look}`,
    attribute(
      'condition',
      `Shown ${look === 'bold' || look === 'muted' ? look : `as ${look}`} while this holds.`,
      '[["state", "=", "draft"]]',
    ),
  ]),
);

/** How a field is shown, in any view. */
export const fieldAttributes: AttributeSpecs = {
  name: required(field('The field.', 'partner_id')),
  label: attribute('text', "Instead of the field's own label.", 'Customer'),
  help: attribute('text', "Instead of the field's own help.", 'Who pays.'),
  widget: attribute('widget', "Instead of the usual one for the field's type.", 'many2one_avatar'),
  options: attribute('json', 'What the widget takes.', '{"no_create": true}'),
  invisible,
  groups,
};

/** How a field is edited. */
export const inputAttributes: AttributeSpecs = {
  placeholder: attribute('text', 'Shown while there is no value.', 'Search…'),
  readonly: attribute('condition', 'Not to be edited while this holds.', '[["state", "!=", "draft"]]'),
  required: attribute('condition', 'Must have a value while this holds.', '[["state", "=", "sale"]]'),
  domain: attribute('relation-domain', 'What may be chosen.', '[["is_company", "=", true]]'),
};

export const buttonAttributes: AttributeSpecs = {
  name: required(attribute('action-name', 'What it runs or opens.', 'action_confirm')),
  label: attribute('text', "What it says; an object action's own label when absent.", 'Confirm'),
  type: {
    ...choice(
      ['object', 'action', 'client'],
      'Runs an object action (the default), opens a window action, or runs a command of the client.',
      'action',
    ),
    with: { name: 'orders' },
  },
  icon: attribute('text', 'Name of an icon.', 'check'),
  primary: attribute('boolean', 'The step that most people take next.', 'true'),
  danger: attribute('boolean', 'Hard to undo.', 'true'),
  menu: attribute('boolean', 'In the menu of the bar and not in the bar itself: for what is seldom needed.', 'true'),
  key: choice(
    [...'abcdfghilmnopqrstuvwxyz'],
    'In the header of a list or kanban: the key that runs it on the selected records.',
    'p',
  ),
  confirm: attribute('text', 'A question that is asked first.', 'Send it to the customer?'),
  invisible,
  context: attribute('json', 'Handed to the action.', '{"default_state": "draft"}'),
  groups,
};

/** Properties of a move that an author can override. */
export const moveAttributes: AttributeSpecs = {
  name: required(attribute('move', 'The move.', 'confirm')),
  label: attribute('text', "Instead of the move's own label.", 'Confirm the order'),
  icon: attribute('text', "Instead of the move's own icon.", 'check'),
  primary: attribute('boolean', 'The step that most people take next.', 'true'),
  danger: attribute('boolean', 'Hard to undo.', 'true'),
  invisible: { ...invisible, doc: 'Hidden while this holds, besides where it does not start.' },
  groups,
};

export const bucket = choice(
  ['hour', 'day', 'week', 'month', 'quarter', 'year'],
  'The granularity, for dates.',
  'month',
);
