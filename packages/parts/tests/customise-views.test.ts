import { type CustomChange, readChange, readPublished } from '@kontor/kernel';
import type { Actor } from '@kontor/orm';
import type { DevViewNode, FormNode } from '@kontor/protocol';
import { createTestKernel, type TestKernel } from '@kontor/testing';
import { long } from '@kontor/testing/long';
import { buildWorkspace, readWorkspaceQuery } from '@kontor/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customise, customiseState, customiseUses, previewScreen } from '../index.ts';

let world: TestKernel;
beforeAll(async () => {
  world = await createTestKernel({ modules: ['crm'] });
});
afterAll(() => world.close());

const edit = (steps: readonly object[], more: object = {}): CustomChange =>
  readChange({ do: 'edit_view', view: 'crm.lead_form', model: 'crm.lead', steps, ...more });
const publish = async (changes: readonly CustomChange[], actor: Actor = world.admin) => {
  const { base, draft } = await customiseState(world.kernel);
  return customise(world.kernel, actor, { base, draft }, { changes, note: '', isPublished: true });
};
const refusal = (work: () => Promise<unknown>): Promise<string> =>
  Promise.resolve()
    .then(work)
    .then(
      () => 'published',
      ({ code, details, message }: { code: string; details: { fields?: object }; message: string }) =>
        details.fields ? Object.values(details.fields).flat().join(' ') : `${code} ${message}`,
    );
const caller = (actor: Actor) => ({ actor, csrf: '', lastWrite: null });
const preview = (changes: readonly CustomChange[], more: object = {}, actor: Actor = world.admin) =>
  previewScreen(world.kernel, caller(actor), {
    ...{ model: 'crm.lead', type: 'form', changes, lang: '', action: '', id: 0 },
    ...more,
  });
const screen = async (view: string, lang = world.admin.lang) =>
  (
    await buildWorkspace(
      world.kernel,
      caller({ ...world.admin, lang }),
      readWorkspaceQuery({ model: 'crm.lead', view_type: view }),
    )
  ).arch;
const field = (name: string) => `//field[@name='${name}']`;
/** The form as text: labels of groups and tabs, names of fields. */
const words = (nodes: readonly FormNode[]): string =>
  nodes
    .map((node) => {
      if (node.kind === 'field') return node.name;
      if (node.kind === 'group') return `${node.label ?? ''}(${words(node.children)})`;
      if (node.kind === 'notebook')
        return node.pages.map((page) => `[${page.label}: ${words(page.children)}]`).join(' ');
      return '';
    })
    .filter(Boolean)
    .join(' ');
const form = async (lang?: string) => words((await screen('form', lang)).form?.children ?? []);
function* walk(node: DevViewNode): Generator<DevViewNode> {
  yield node;
  for (const child of node.children) yield* walk(child);
}

describe('CUS-30 steps of a view', () => {
  long(
    'a field is moved, another one hidden and renamed, and a group with a translated label takes a third',
    async () => {
      await publish([
        edit(
          [
            { expr: field('phone'), position: 'before', move: field('email_from') },
            { expr: field('website'), position: 'attributes', attributes: { label: 'Homepage' } },
            { expr: field('source'), position: 'attributes', attributes: { invisible: 'true' } },
            { expr: field('phone'), position: 'after', element: { tag: 'group', label: 'Delivery' } },
            { expr: "//group[@label='Delivery']", position: 'inside', fields: [{ name: 'create_date' }] },
            { expr: field('phone'), position: 'attributes', attributes: { required: '[["name", "=", "A"]]' } },
          ],
          { words: { de_DE: { Delivery: 'Lieferung', Homepage: 'Internetseite' } } },
        ),
      ]);
      expect(await form()).toMatch(/email_from phone Delivery\(create_date\)/);
      expect(await form('de_DE')).toContain('Lieferung(create_date)');
      const nodes = JSON.stringify((await screen('form')).form);
      expect(nodes).toContain('"required":');
      expect(nodes).not.toContain('"source"');
      expect(nodes).toContain('"label":"Homepage"');
    },
  );

  long('columns of a list and lines of a card take fields', async () => {
    await publish([
      edit([{ expr: '/list/field[1]', position: 'before', fields: [{ name: 'create_date', optional: 'show' }] }], {
        view: 'crm.lead_list',
      }),
      edit([{ expr: '/kanban/card', position: 'inside', fields: [{ name: 'create_date' }] }], {
        view: 'crm.lead_kanban',
      }),
    ]);
    expect((await screen('list')).list?.columns[0]?.name).toBe('create_date');
    expect((await screen('kanban')).kanban?.card.lines.map(({ name }) => name)).toContain('create_date');
  });

  long('a tab is inserted with the tabs around it where there are none, and beside others', async () => {
    const { root } = await preview([]);
    const notebook = [...walk(root)].find(({ tag }) => tag === 'page');
    const step = notebook
      ? { expr: notebook.xpath, position: 'after', element: { tag: 'page', label: 'Site' } }
      : { expr: field('phone'), position: 'after', element: { tag: 'notebook', label: 'Site' } };
    await publish([
      edit([step, { expr: "//page[@label='Site']", position: 'inside', fields: [{ name: 'write_date' }] }]),
    ]);
    expect(await form()).toContain('[Site: write_date]');
  });

  it('settings that are tried out are one step', async () => {
    const before = (await readPublished(world.kernel.database)).document.views;
    await publish([
      edit([
        { expr: field('phone'), position: 'attributes', attributes: { label: 'A' } },
        { expr: field('phone'), position: 'attributes', attributes: { label: 'Telephone' } },
        { expr: field('email_from'), position: 'after', move: field('phone') },
        { expr: field('website'), position: 'after', move: field('phone') },
      ]),
    ]);
    const after = (await readPublished(world.kernel.database)).document.views;
    const count = (views: typeof after) => views.find(({ view }) => view === 'crm.lead_form')?.steps.length ?? 0;
    expect(count(after) - count(before)).toBe(2);
  });

  long('the shipped screen comes back when its steps are dropped', async () => {
    await publish([readChange({ do: 'reset_view', view: 'crm.lead_form', model: 'crm.lead' })]);
    const { views, words: said } = (await readPublished(world.kernel.database)).document;
    expect(views.map(({ view }) => view)).not.toContain('crm.lead_form');
    expect(said.de_DE?.Delivery).toBeUndefined();
  });
});

describe('CUS-31 the preview', () => {
  it('shows the screen and its elements after changes, in any language, and stores nothing', async () => {
    const before = await customiseState(world.kernel);
    const { workspace, root, view, problems, fields, columns } = await preview(
      [
        edit(
          [
            { expr: field('phone'), position: 'after', element: { tag: 'group', label: 'Delivery' } },
            { expr: "//group[@label='Delivery']", position: 'inside', move: field('website') },
          ],
          { words: { de_DE: { Delivery: 'Lieferung' } } },
        ),
      ],
      { lang: 'de_DE' },
    );
    expect(view).toBe('crm.lead_form');
    expect(columns['tag_ids.name']).toBe('Name');
    expect(problems).toEqual([]);
    expect(words(workspace.arch.form?.children ?? [])).toContain('Lieferung(website)');
    const group = [...walk(root)].find(({ attributes }) => attributes.label === 'Delivery');
    expect(group).toMatchObject({ label: 'Lieferung', xpath: "//group[@label='Delivery']" });
    expect(fields.find(({ name }) => name === 'phone')?.label).toBe('Telefon');
    expect(await customiseState(world.kernel)).toEqual(before);
  });

  it('names what would be refused, and fields that are shown after they are published', async () => {
    const gone = edit([{ expr: field('nowhere'), position: 'after', fields: [{ name: 'phone' }] }]);
    expect((await preview([gone])).problems.join()).toContain('finds nothing');
    const add = readChange({
      ...{ do: 'add_field', model: 'crm.lead', name: 'x_new', field: { type: 'char', label: 'New one' } },
    });
    expect((await preview([add])).problems).toEqual(['"New one" is shown after it is published.']);
  });
});

describe('CUS-32 attacks on views', () => {
  long('a field that must have a value is hidden neither by itself nor with its group', async () => {
    const hide = { position: 'attributes', attributes: { invisible: 'true' } };
    expect(await refusal(() => publish([edit([{ ...hide, expr: field('name') }])]))).toContain(
      'must have a value, so it cannot be hidden',
    );
    const group = [
      { expr: field('phone'), position: 'after', element: { tag: 'group', label: 'Trap' } },
      { expr: "//group[@label='Trap']", position: 'inside', move: field('name') },
      { ...hide, expr: "//group[@label='Trap']" },
    ];
    expect(await refusal(() => publish([edit(group)]))).not.toBe('published');
  });

  it('only elements by name, label or number are anchors, and only some attributes can be set', async () => {
    const step = (expr: string) =>
      refusal(async () => edit([{ expr, position: 'after', fields: [{ name: 'phone' }] }]));
    for (const expr of [
      '//*',
      '//field',
      "//field[@name='a'] | //*",
      'document("/etc/passwd")',
      '//field[last()]',
      '..',
    ])
      expect(await step(expr)).toContain('must be an element of the view');
    const set = (name: string) =>
      refusal(async () => edit([{ expr: field('phone'), position: 'attributes', attributes: { [name]: 'x' } }]));
    for (const name of ['groups', 'name', 'domain', 'options', '__proto__x'])
      expect(await set(name)).toContain('cannot be set');
    for (const steps of [[null], [{}], [{ expr: field('phone'), position: 'attributes', attributes: 1 }], 'x'])
      expect(await refusal(async () => edit(steps as never))).toContain('must be');
  });

  it('screens of the system, and of models that the author may not change, stay as they are', async () => {
    const rows = await world.work((env) =>
      env
        .sudo()
        .model('sys.view')
        .searchRead(
          [
            ['model', '=', 'sys.rule'],
            ['key', '!=', null],
          ],
          ['key', 'type'],
        ),
    );
    const [system] = rows;
    expect(system).toBeDefined();
    const steps = [{ expr: `/${system?.type}`, position: 'inside', fields: [{ name: 'create_date' }] }];
    expect(await refusal(() => publish([edit(steps, { view: system?.key, model: 'sys.rule' })]))).toContain(
      'cannot be changed',
    );
    const nils = await world.person('Nils', ['base.group_customise']);
    const hide = edit([{ expr: field('phone'), position: 'attributes', attributes: { label: 'P' } }]);
    expect(await refusal(() => publish([hide], nils))).toContain('You may not change Lead');
    expect(await refusal(() => preview([hide], {}, nils))).toMatch(/^MODEL_NOT_FOUND/);
    const lena = await world.person('Lena', ['base.group_user', 'crm.group_manager']);
    expect(await refusal(() => publish([hide], lena))).toMatch(/^ACCESS_DENIED/);
    expect(await refusal(() => preview([hide], {}, lena))).toMatch(/^ACCESS_DENIED/);
  });

  long('the cost of many steps that do not fit grows with their number only', async () => {
    const steps = Array.from({ length: 1000 }, (_, at) => ({
      ...{ expr: field(`gone_${at}`), position: 'after', fields: [{ name: 'phone' }] },
    }));
    expect((await preview([edit(steps)])).problems).toHaveLength(1000);
    expect(await refusal(async () => edit([...steps, ...steps]))).toContain('at most 1000 changes');
  });

  long(
    'CUS-13 a view whose conditions ask for a field is listed among its uses, and loses them with the field',
    async () => {
      const asked = { position: 'attributes', attributes: { invisible: '[["x_lift", "=", true]]' } };
      await publish([
        readChange({
          ...{
            do: 'add_field',
            model: 'crm.lead',
            name: 'x_lift',
            field: { type: 'boolean', label: 'Lift' },
            after: null,
          },
        }),
        edit([
          { ...asked, expr: field('website') },
          { expr: field('phone'), position: 'after', fields: [{ name: 'x_lift' }] },
          { expr: field('x_lift'), position: 'after', move: field('email_from') },
        ]),
      ]);
      const uses = await customiseUses(world.kernel, world.admin, { model: 'crm.lead', name: 'x_lift' });
      expect(uses.map(({ name }) => name)).toContain('crm.lead_form');
      await publish([readChange({ do: 'delete_field', model: 'crm.lead', name: 'x_lift' })]);
      const { views } = (await readPublished(world.kernel.database)).document;
      expect(JSON.stringify(views)).not.toContain('x_lift');
    },
  );
});
