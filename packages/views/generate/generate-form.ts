import type { Field, Model } from '@kontor/orm';
import type { ViewNode } from '../view-node.ts';
import { nameField, ownFields, statusField } from './main-fields.ts';
import { type MakeNode, nodeMaker, rootOf } from './make-node.ts';

/** Records are read with a limited number of paths; no hand-made form comes near it. */
const most = 70;

/** All fields of a model: two columns, and pages for what needs room. */
export function generateForm(model: Model): ViewNode {
  const make = nodeMaker(model);
  const name = nameField(model);
  const status = statusField(model);
  const avatar = ownFields(model).find((field) => field.kind.isImage) ?? null;
  const rest = ownFields(model)
    .filter((field) => field !== name && field !== status && field !== avatar)
    .slice(0, most);
  return rootOf(make, model, 'form', [
    ...(status
      ? [
          make('header', {}, [
            ...(model.states ? [make('moves')] : []),
            make('field', { name: status.name, widget: 'statusbar' }),
          ]),
        ]
      : []),
    ...(avatar ? [make('avatar', {}, [make('field', { name: avatar.name })])] : []),
    ...(name ? [make('title', {}, [make('field', { name: name.name })])] : []),
    ...columns(
      make,
      rest.filter((field) => !isWide(field)),
    ),
    ...pages(
      make,
      rest.filter((field) => isWide(field)),
    ),
  ]);
}

function columns(make: MakeNode, fields: readonly Field[]): readonly ViewNode[] {
  if (fields.length === 0) return [];
  const nodes = fields.map((field) => make('field', { name: field.name, ...look(field) }));
  const middle = Math.ceil(nodes.length / 2);
  const halves = [nodes.slice(0, middle), nodes.slice(middle)].filter((half) => half.length > 0);
  return [
    make(
      'group',
      { columns: '2' },
      halves.map((half) => make('group', {}, half)),
    ),
  ];
}

/** Lines first: they are what most documents are about. */
function pages(make: MakeNode, fields: readonly Field[]): readonly ViewNode[] {
  if (fields.length === 0) return [];
  const lines = fields.filter((field) => field.kind.isLines);
  const texts = fields.filter((field) => !field.kind.isLines);
  const page = (field: Field) =>
    make('page', { name: field.name, label: field.label }, [make('field', { name: field.name, nolabel: 'true' })]);
  return [make('notebook', {}, [...lines, ...texts].map(page))];
}

function look(field: Field): Readonly<Record<string, string>> {
  if (field.kind.isLinks) return { widget: 'tags' };
  if (!field.kind.isShort) return {};
  const widget = { email: 'email', phone: 'phone', mobile: 'phone', website: 'url', url: 'url' }[field.name];
  return widget ? { widget } : {};
}

/** Needs the whole width. */
function isWide({ kind }: Field): boolean {
  return (kind.isText && !kind.isShort) || kind.isJson || kind.isLines;
}
