import type { FormNode } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { archOf, type Person, view } from './example-world.ts';

const manager: Person = { groups: ['base.group_user', 'sale.group_manager'] };

function list(inside: string, attributes = ''): string {
  return `<list id="l" model="sale.order"${attributes}>${inside}</list>`;
}
function form(inside: string): string {
  return `<form id="f" model="sale.order">${inside}</form>`;
}
function body(inside: string, as?: Person): readonly FormNode[] {
  return archOf(form(inside), as && { as }).arch.form?.children ?? [];
}
function columns(inside: string, as?: Person): readonly string[] {
  return (archOf(list(inside), as && { as }).arch.list?.columns ?? []).map((column) => column.name);
}

describe('groups', () => {
  it('VIEW-7 a node is left out for people who are in none of its groups', () => {
    const inside = '<field name="name"/><field name="state" groups="group_manager, base.group_system"/>';
    expect(columns(inside)).toEqual(['name']);
    expect(columns(inside, manager)).toEqual(['name', 'state']);
  });

  it('VIEW-7 groups on any node: header, button, page, group, filter, measure', () => {
    const g = 'groups="sale.group_manager"';
    const xml = form(`<header ${g}><button name="action_confirm" label="A"/><field name="state"/></header>
      <title ${g}><field name="name"/></title><stats ${g}><button name="action_confirm" label="B"/></stats>
      <group ${g}><field name="color"/></group><text ${g}>Words</text><separator ${g}/>
      <notebook><page label="P" ${g}><field name="notes"/></page></notebook>`);
    const { arch } = archOf(xml);
    expect(arch.header).toEqual({ buttons: [] });
    expect(arch.form).toMatchObject({ stats: [], children: [] });
    expect(arch.form).not.toHaveProperty('title');
    expect(arch.fields.map((field) => field.name)).not.toContain('notes');
    const seen = archOf(xml, { as: manager }).arch;
    expect(seen.header.buttons).toHaveLength(1);
    expect(seen.form?.children.map((child) => child.kind)).toEqual(['group', 'text', 'separator', 'notebook']);
  });
});

describe('relations', () => {
  it('VIEW-7 say what the person may do in the related model', () => {
    const related = (name: string, denied: readonly string[] = []) =>
      archOf(list('<field name="partner_id"/><field name="name"/>'), { as: { denied } }).arch.fields.find(
        (field) => field.name === name,
      )?.related;
    const all = { read: true, create: true, write: true, unlink: true };
    expect([related('partner_id'), related('name')]).toEqual([all, undefined]);
    const denied = ['core.partner:create', 'core.partner:read'];
    expect(related('partner_id', denied)).toEqual({ ...all, create: false, read: false });
  });
});

describe('fields that a person may not read', () => {
  const everywhere = `<field name="name"/><field name="cost" sum="Cost"/>`;

  it('VIEW-7 are absent from columns, fields and projection', () => {
    const { arch, projection } = archOf(list(everywhere));
    expect(JSON.stringify([arch, projection])).not.toContain('cost');
    expect(JSON.stringify(archOf(list(everywhere), { as: manager }))).toContain('cost');
  });

  it('VIEW-7 are absent from forms, and what is empty without them vanishes', () => {
    expect(body('<group label="Money"><separator label="A"/><field name="cost"/></group>')).toEqual([]);
    expect(body('<notebook><page label="Money"><group><field name="cost"/></group></page></notebook>')).toEqual([]);
    const [notebook] = body(
      '<notebook><page label="A"><field name="cost"/></page><page label="B"><field name="color"/></page></notebook>',
    );
    expect(notebook).toMatchObject({ kind: 'notebook', pages: [{ name: 'b', label: 'B' }] });
    expect(body('<group label="Money"><field name="cost"/></group>', manager)).toHaveLength(1);
  });

  it('VIEW-7 are absent from the lines of an x2many', () => {
    const inside =
      '<field name="line_ids"><list><field name="product"/><field name="margin"/></list><form><field name="margin"/></form></field>';
    const { arch, projection } = archOf(form(inside));
    expect(JSON.stringify([arch, projection])).not.toContain('margin');
    expect(JSON.stringify(archOf(form('<field name="line_ids"/>')))).not.toContain('margin');
  });

  it('VIEW-7 a list without a readable column shows names', () => {
    const { arch, projection } = archOf(list('<field name="cost"/>'));
    expect(arch.list?.columns).toEqual([{ name: 'display_name' }]);
    expect(projection).toEqual(['display_name']);
  });

  it('VIEW-7 a card without a readable title shows the name', () => {
    const { arch } = archOf(
      '<kanban id="k" model="sale.order" sums="cost,amount_total"><card color="cost"><title><field name="cost"/></title></card></kanban>'.replace(
        ' color="cost"',
        '',
      ),
    );
    expect(arch.kanban).toMatchObject({
      card: { title: { kind: 'field', name: 'display_name' } },
      sums: ['amount_total'],
    });
  });

  it('VIEW-7 conditions on them get the careful answer', () => {
    const when = `'[["cost", ">", 0]]'`;
    const inside = `<field name="name" invisible=${when}/><field name="color" readonly=${when}/><field name="payment_days" required=${when}/>`;
    expect(body(inside)).toEqual([
      { kind: 'field', name: 'color', readonly: true },
      { kind: 'field', name: 'payment_days', required: false },
    ]);
    expect(body(inside, manager)[1]).toEqual({ kind: 'field', name: 'color', readonly: [['cost', '>', 0]] });
    expect(archOf(list('<field name="name"/>', ` decoration-bold=${when}`)).arch.list).not.toHaveProperty(
      'decorations',
    );
  });

  it('VIEW-7 filters, groups, measures and orders on them are gone', () => {
    const search = `<search id="s" model="sale.order"><field name="cost"/>
      <filter name="dear" label="Dear" domain='[["cost", ">", 9]]'/>
      <filter name="vat" label="Vat" domain='[["partner_id.vat", "!=", false]]'/><filter name="by" label="By" group-by="partner_id.vat"/></search>`;
    const pivot = '<pivot id="p" model="sale.order"><row name="cost"/><measure name="cost"/></pivot>';
    const { arch } = archOf(pivot, { search: view(search) });
    expect(arch.search).toEqual({ fields: [], filters: [], saved: [] });
    expect(arch.pivot).toMatchObject({
      rowGroups: [],
      measures: [{ name: 'id:count', field: 'id', measure: 'count', label: 'Count' }],
    });
    expect(archOf(list('<field name="name"/>', ' order="cost" group-by="state,cost"')).query).toEqual({
      order: null,
      limit: null,
      groupBy: ['state'],
    });
  });

  it('VIEW-7 a view that cannot do without one is refused', () => {
    const map = '<map id="m" model="sale.order" latitude="partner_id.latitude" longitude="partner_id.longitude"/>';
    expect(() => archOf(map, { as: { denied: ['core.partner:read'] } })).toThrowError(
      expect.objectContaining({ code: 'ACCESS_DENIED', details: expect.objectContaining({ layer: 'field' }) }),
    );
  });
});

describe('rights on models', () => {
  it('VIEW-7 lines of a model that a person may not read are gone, names of related records stay empty', () => {
    const denied = ['sale.order.line:read', 'core.partner:read'];
    const inside = `<field name="line_ids"/><field name="partner_id" invisible='[["partner_id.email", "=", "x"]]'/><field name="partner_id"/>`;
    expect(body(inside, { denied })).toEqual([{ kind: 'field', name: 'partner_id' }]);
  });

  it('VIEW-7 what a person may not do is not offered', () => {
    const denied = ['create', 'write', 'unlink'].map((operation) => `sale.order:${operation}`);
    const xml = form(
      '<header><button name="action_confirm" label="A"/><button name="action_copy" label="B"/></header><field name="name"/>',
    );
    const { arch } = archOf(xml, { as: { denied } });
    expect(arch.form).toMatchObject({ create: false, edit: false, delete: false, duplicate: false });
    expect(arch.header.buttons.map((button) => button.name)).toEqual(['action_copy']);
    expect(arch.rights).toEqual({ create: false, copy: false, write: false, unlink: false });
    const rows = archOf(list('<field name="name"/>', ' handle="sequence"'), { as: { denied } }).arch.list;
    expect(rows).toMatchObject({ create: false, delete: false });
    expect(rows).not.toHaveProperty('handle');
    const kanban =
      '<kanban id="k" model="sale.order" group-by="stage_id"><card><title><field name="name"/></title></card></kanban>';
    expect(archOf(kanban, { as: { denied } }).arch.kanban).toMatchObject({ draggable: false, quickCreate: false });
  });

  it('VIEW-7 buttons follow the groups of their action, and window actions that may be opened', () => {
    const xml = form(
      '<header><button name="action_close" label="A"/><button name="orders" type="action" label="B"/></header>',
    );
    const names = (as: Person, may: boolean) =>
      archOf(xml, { as, mayOpen: (action) => may && action === 'sale.orders' }).arch.header.buttons.map(
        (button) => button.name,
      );
    expect(names({}, true)).toEqual(['sale.orders']);
    expect(names(manager, false)).toEqual(['action_close']);
  });
});
