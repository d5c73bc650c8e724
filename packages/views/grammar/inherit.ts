import { attribute, choice, groups, required } from './attributes.ts';
import type { TagSpecs } from './tag-spec.ts';

const positions = ['before', 'after', 'inside', 'replace', 'attributes'] as const;

const within = '<inherit view="sale.order_form">…</inherit>';

export const inheritTags: TagSpecs = {
  inherit: {
    tag: 'inherit',
    doc: 'Changes to a view of another addon, or of the same. The view itself stays as it is; without the module that holds it, the change is gone.',
    attributes: {
      view: required(attribute('view', 'The view that is changed; may itself be an inherit.', 'sale.order_form')),
      id: attribute('id', 'The external id; made from the name of the view when absent.', 'order_form_margin'),
      label: attribute('text', 'Name among other views.', 'Margin on orders'),
      priority: attribute(
        'integer',
        'Lower numbers are applied first, once those of the modules that this one depends on are; 16 when absent.',
        '20',
      ),
      groups: { ...groups, doc: 'For whom the change is made; everyone when absent.' },
    },
    children: { xpath: 'some' },
    example: `<inherit view="sale.order_form">
  <xpath expr="//field[@name='payment_days']" position="after"><field name="user_id"/></xpath>
  <xpath expr="//field[@name='partner_id']" position="attributes">
    <attribute name="label">Customer</attribute>
  </xpath>
</inherit>`,
  },
  xpath: {
    tag: 'xpath',
    doc: 'One change. The first element that the expression finds is changed; finding none is an error. `replace` with nothing inside removes.',
    attributes: {
      expr: required(attribute('xpath', 'Which element.', "//group[@label='Customer']")),
      position: required(choice(positions, 'Where the content goes, or what becomes of the element.', 'before')),
    },
    children: 'any',
    example: `<xpath expr="//group[@label='Customer']" position="inside">
  <field name="user_id"/>
  <xpath expr="//field[@name='notes']" position="move"/>
</xpath>`,
    within,
  },
  'xpath.move': {
    tag: 'xpath',
    doc: 'Inside another `<xpath>`, also deep in its content: moves the element here.',
    attributes: {
      expr: required(attribute('xpath', 'Which element.', "//field[@name='notes']")),
      position: required(choice(['move'], 'Says that it moves.')),
    },
    children: {},
    example: `<xpath expr="//field[@name='notes']" position="move"/>`,
    within:
      '<inherit view="sale.order_form"><xpath expr="//field[@name=\'partner_id\']" position="after">…</xpath></inherit>',
  },
  attribute: {
    tag: 'attribute',
    doc: 'With `position="attributes"`: the text becomes the value of the attribute; no text removes it. `add` and `remove` change a list with commas, such as `groups`.',
    attributes: {
      name: required(attribute('text', 'The attribute.', 'label')),
      add: attribute('text', 'Values to add to the list.', 'base.group_system'),
      remove: attribute('text', 'Values to take from the list.', 'base.group_user'),
    },
    children: {},
    text: 'may',
    example: '<attribute name="groups" add="base.group_system"/>',
    within:
      '<inherit view="sale.order_form"><xpath expr="//field[@name=\'partner_id\']" position="attributes">…</xpath></inherit>',
  },
};
