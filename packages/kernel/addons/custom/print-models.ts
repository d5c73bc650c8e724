import type { FieldSpec } from '@kontor/orm';
import { startTag, type ViewNode } from '@kontor/views';
import type { AddedModel } from './added-model.ts';
import { linesField, wholeField } from './added-model.ts';
import { type CustomDocument, customModule, customPrefix } from './document.ts';
import { standardFields } from './model-definitions.ts';
import { domainOfRight, modelScreens, rightId, ruleId, titleOf } from './model-screens.ts';
import { code } from './print-code.ts';

/** Names of a customisation as those of an addon: `x_machine` becomes `acme.machine`, its field `x_lift` becomes `acme_lift`. */
export interface AddonNames {
  readonly addon: string;
  model(name: string): string;
  field(name: string): string;
  /** External ids of screens, without their module. */
  id(name: string): string;
  /** The external id of a view or menu that a document names. */
  reference(name: string): string;
}

export function addonNames(addon: string, { models = {} }: CustomDocument): AddonNames {
  const bare = (name: string) => name.slice(customPrefix.length);
  const own = (name: string) => name.startsWith(customPrefix);
  const id = (name: string) => (own(name) ? bare(name) : name);
  return {
    addon,
    model: (name) => (Object.hasOwn(models, name) ? `${addon}.${bare(name)}` : name),
    field: (name) => (own(name) ? `${addon}_${bare(name)}`.slice(0, 63) : name),
    id,
    reference(name) {
      const [module, ...rest] = name.split('.');
      return module === customModule ? `${addon}.${id(rest.join('.'))}` : name;
    },
  };
}

/** `<form>`, `<list>`, …, `<action>` and `<menu>` of a model under the names of the addon. */
export function screensFile(document: CustomDocument, name: string, model: AddedModel, names: AddonNames): string {
  const { nodes } = modelScreens(document, name, model);
  return `<views>\n${nodes.map((node) => nodeText(renamedNode(node, names), '  ')).join('')}</views>\n`;
}

function renamedNode(node: ViewNode, names: AddonNames): ViewNode {
  const { attributes, children } = node;
  const said = Object.entries(attributes).map(([key, value]) => [key, renamedAttribute(node.tag, key, value, names)]);
  return {
    ...node,
    attributes: Object.fromEntries(said) as ViewNode['attributes'],
    children: children.map((child) => renamedNode(child, names)),
  };
}

function renamedAttribute(tag: string, key: string, value: string, names: AddonNames): string {
  if (key === 'model') return names.model(value);
  if (key === 'id' || key === 'action') return names.id(value);
  if (key === 'parent') return value.includes('.') ? names.reference(value) : names.id(value);
  if (key === 'name' && tag === 'filter')
    return value.replace(/^by_(?=x_)/, '').replace(/^x_.*/, (own) => `by_${names.field(own)}`);
  if (key === 'name' || key === 'start' || key === 'color') return names.field(value);
  if (key !== 'group-by') return value;
  const [field = '', ...interval] = value.split(':');
  return [names.field(field), ...interval].join(':');
}

export function nodeText(node: ViewNode, indent: string): string {
  const tag = startTag(node);
  if (node.children.length === 0)
    return node.text === '' ? `${indent}${tag}\n` : `${indent}${tag}${escapeText(node.text)}</${node.tag}>\n`;
  return `${indent}${tag}\n${node.children.map((child) => nodeText(child, `${indent}  `)).join('')}${indent}</${node.tag}>\n`;
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `security/access.csv` of all added models. */
export function accessFile({ models = {} }: CustomDocument, names: AddonNames): string {
  const rows = Object.entries(models).flatMap(([name, { plural, access }]) =>
    access.map(({ group, write, create, unlink }) => [
      names.id(rightId(name, group)),
      `${plural}: ${group}`,
      names.model(name),
      group,
      ...[true, write, create, unlink].map((may) => (may ? '1' : '0')),
    ]),
  );
  const lines = [['id', 'name', 'model', 'group', 'read', 'write', 'create', 'unlink'], ...rows];
  return lines.map((cells) => `${cells.map(csvCell).join(',')}\n`).join('');
}

/** `security/rules.xml` of models with groups that see only their own records; null: none has one. */
export function rulesFile({ models = {} }: CustomDocument, names: AddonNames): string | null {
  const records = Object.entries(models).flatMap(([name, model]) =>
    model.access.flatMap((right) => {
      const { group, only } = right;
      const domain = domainOfRight(model, only ? { ...right, only: names.field(only) } : right);
      if (domain === null) return [];
      return [
        `  <record id="${names.id(ruleId(name, group))}" model="sys.rule">\n`,
        `    <field name="name">${escapeText(titleOf(model, right))}</field>\n`,
        `    <field name="model">${names.model(name)}</field>\n`,
        `    <field name="domain" eval='${JSON.stringify(domain)}'/>\n`,
        `    <field name="group_ids" refs="${group}"/>\n  </record>\n`,
      ];
    }),
  );
  return records.length === 0 ? null : `<data>\n${records.join('')}</data>\n`;
}

function csvCell(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The sequences of numbered models; null: none has one. They keep their code, so that an addon goes on where its customisation stopped. */
export function numbersFile({ models = {} }: CustomDocument, names: AddonNames): string | null {
  const records = Object.entries(models).flatMap(([name, { plural, number }]) =>
    number
      ? [
          `  <record id="${names.id(name)}_numbers" model="sys.sequence">\n`,
          `    <field name="name">${escapeText(plural)}</field>\n`,
          `    <field name="code">${name}</field>\n`,
          number.prefix === '' ? '' : `    <field name="prefix">${escapeText(number.prefix)}</field>\n`,
          `    <field name="padding">${number.digits}</field>\n  </record>\n`,
        ]
      : [],
  );
  return records.length === 0 ? null : `<data noupdate="1">\n${records.join('')}</data>\n`;
}

/** The properties of an added model after its fields, one member a line. */
export function modelMembers(name: string, model: AddedModel, displayName: string | undefined): string {
  const members: Readonly<Record<string, unknown>> = {
    label: model.label,
    was: name,
    order: model.partOf ? 'id' : 'name, id',
    ...(displayName && { displayName }),
    ...(model.partOf || model.company ? {} : { noCompany: 'Shared by all companies.' }),
    ...(model.chatter && { chatter: true }),
    ...(model.partOf ? { partOf: wholeField } : { indexes: ['name, id'] }),
  };
  return Object.entries(members)
    .map(([key, value]) => `  ${key}: ${code(value, '  ')},\n`)
    .join('');
}

/** The fields that a model has by its properties, as code by name. */
export function standardCode(
  name: string,
  model: AddedModel,
  names: AddonNames,
): readonly (readonly [string, FieldSpec])[] {
  return Object.entries(standardFields(name, model)).map(([field, spec]) => {
    const { relation } = spec;
    return [field, relation ? { ...spec, relation: names.model(relation) } : spec];
  });
}

/** The lists of lines that added models put into a model. */
export function linesCode({ models = {} }: CustomDocument, whole: string, names: AddonNames): readonly string[] {
  return Object.entries(models).flatMap(([name, { partOf }]) => {
    if (partOf?.model !== whole) return [];
    const list = linesField(name);
    const options = code({ was: list, label: partOf.label }, '    ');
    return [`    ${names.field(list)}: fields.one2many('${names.model(name)}', '${wholeField}', ${options}),\n`];
  });
}
