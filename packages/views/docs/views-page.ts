import { grammar } from '../grammar/grammar.ts';
import { type AttributeSpec, attributeKinds, type Occurrence, type TagSpec } from '../grammar/tag-spec.ts';
import { clientCommands, clientWidgets, type WidgetExample } from '../grammar/widgets.ts';

const sections: readonly (readonly [title: string, kinds: readonly string[]])[] = [
  ['List', ['list', 'list.header', 'list.field', 'button', 'moves', 'move', 'asks.form']],
  [
    'Form',
    [
      ...[
        'form',
        'form.header',
        'form.status',
        'form.avatar',
        'form.title',
        'form.subtitle',
        'form.stats',
        'stats.button',
      ],
      ...['form.group', 'form.notebook', 'form.page', 'form.separator', 'form.text', 'form.field'],
      ...['inline.list', 'inline.form'],
    ],
  ],
  ['Kanban', ['kanban', 'kanban.header', 'kanban.card', 'card.title', 'card.field', 'card.footer']],
  ['Graph, pivot and cohort', ['graph', 'group-by', 'pivot', 'row', 'column', 'cohort', 'measure']],
  ['Calendar, gantt and map', ['calendar', 'gantt', 'map']],
  ['Search', ['search', 'search.field', 'search.filter', 'search.separator']],
  ['Actions and menus', ['action', 'menu']],
  ['Changing a view of another addon', ['inherit', 'xpath', 'xpath.move', 'attribute']],
];

const intro = `# Views

Generated from \`packages/views/grammar\`, which also checks views and turns them into what the client draws; a test loads every
example on this page. Views, actions and menus are written in \`views/*.xml\` of an addon, one file a model, inside \`<views>\`:
\`\`\`xml
<views>
  <list id="order_list" model="sale.order">…</list>
  <form id="order_form" model="sale.order">…</form>
  <action id="orders" label="Orders" model="sale.order"/>
  <menu id="menu_orders" label="Orders" action="orders"/>
</views>
\`\`\`
- A mistake (a tag, an attribute, a field, an action, a group, a widget that does not exist) stops the install with addon, file,
  line and the nearest valid name. Document types and entities are refused.
- A model without a view of a type gets a generated one, as far as its fields allow; \`list\`, \`form\` and \`search\` always.
- Fields that a person may not read are left out, and with them whatever would be empty. \`groups\` on a tag leaves it out for
  everyone who is in none of them. A condition on a field that a person may not read counts as: invisible, readonly, not required.
- Fields in conditions and decorations need not be in the view; they are loaded anyway.
- Names of groups, actions and menus without a dot are those of the same addon.`;

/** The text of docs/views.md. */
export function viewsPage(): string {
  const parts = [
    intro,
    kindsTable(),
    ...sections.map(([title, kinds]) => section(title, kinds)),
    widgetsTable(),
    commandsTable(),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Kinds of the grammar that no section documents. */
export function undocumentedKinds(): readonly string[] {
  const shown = new Set(sections.flatMap(([, kinds]) => kinds));
  return Object.keys(grammar).filter((kind) => !shown.has(kind));
}

function kindsTable(): string {
  const rows = Object.entries(attributeKinds).map(([kind, words]) => `| ${kind} | ${words} |`);
  return ['## What attributes take', '| kind | is |', '|---|---|', ...rows].join('\n');
}

function section(title: string, kinds: readonly string[]): string {
  return [`## ${title}`, ...kinds.map((kind) => tagPart(kind, grammar[kind] as TagSpec))].join('\n\n');
}

function tagPart(kind: string, spec: TagSpec): string {
  const parent = Object.values(grammar).filter((other) => other.children !== 'any' && kind in other.children);
  const tags = [...new Set(parent.map((other) => `\`<${other.tag}>\``))].join(', ');
  const heading = `### \`<${spec.tag}>\`${tags === '' ? '' : ` in ${tags}`}`;
  const lines = [heading, spec.doc, '```xml', spec.example, '```'];
  const inside = insideOf(spec);
  if (inside !== '') lines.push(`Inside: ${inside}.`, '');
  const attributes = Object.entries(spec.attributes);
  if (attributes.length > 0) lines.push('| attribute | takes | |', '|---|---|---|', ...attributes.map(attributeRow));
  return lines.join('\n').trimEnd();
}

const words: Readonly<Record<Occurrence, string>> = { one: 'at most one', must: 'one', many: '', some: 'at least one' };

function insideOf({ children, text }: TagSpec): string {
  const tags = children === 'any' ? ['whatever is allowed at the place'] : Object.entries(children).map(childWords);
  return [...(text ? ['a text'] : []), ...tags].join(', ');
}

function childWords([kind, occurrence]: readonly [string, Occurrence]): string {
  return `${words[occurrence]} \`<${grammar[kind]?.tag}>\``.trim();
}

function attributeRow([name, spec]: readonly [string, AttributeSpec]): string {
  const takes = spec.kind === 'choice' ? (spec.values ?? []).map((value) => `\`${value}\``).join(', ') : spec.kind;
  const types = spec.fieldTypes ? ` (${spec.fieldTypes.join(', ')})` : '';
  const required = spec.isRequired ? ' **Required.**' : '';
  const example = Object.entries({ ...spec.with, [name]: spec.example }).map(([key, value]) => quoted(key, value));
  return `| \`${name}\` | ${takes}${types} | ${cell(spec.doc)}${required} \`${cell(example.join(' '))}\` |`;
}

function quoted(name: string, value: string): string {
  return value.includes('"') ? `${name}='${value}'` : `${name}="${value}"`;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

function widgetsTable(): string {
  const rows = [...clientWidgets].map(
    ([name, { types, doc, example }]) =>
      `| ${name} | ${types?.join(', ') ?? 'any'} | ${doc} \`${widgetExample(name, example)}\` |`,
  );
  const lead = 'Names for `widget`. An addon declares the widgets of its `client/` in `defineAddon({ widgets })`.';
  return ['## Widgets', lead, '', '| widget | for | |', '|---|---|---|', ...rows].join('\n');
}

/** A view field with the widget, as shown in the table and loaded by a test. */
export function widgetExample(name: string, { field, options }: WidgetExample): string {
  return `<field name="${field}" widget="${name}"${options ? ` options='${options}'` : ''}/>`;
}

function commandsTable(): string {
  const rows = [...clientCommands].map(
    ([name, { groups, doc }]) => `| ${name} | ${groups?.join(', ') ?? ''} | ${doc} |`,
  );
  const lead =
    'Names for a `<button type="client">`. They run on the record of a form; in the header of a list they need none.';
  return ['## Commands of the client', lead, '', '| command | for | |', '|---|---|---|', ...rows].join('\n');
}
