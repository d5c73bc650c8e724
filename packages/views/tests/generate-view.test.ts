import { assembleRegistry, defineModel, fields, type Model, type ModelSpec } from '@kontor/orm';
import { describe, expect, it } from 'vitest';
import { checkView, generatedTypes, generateView, type ViewKind, viewKinds, walkNodes } from '../index.ts';
import { exampleRegistry } from './example-registry.ts';
import { exampleContext } from './example-world.ts';

const order = exampleRegistry.model('sale.order');

function modelOf(spec: Partial<ModelSpec>): Model {
  const definition = defineModel('x.thing', { label: 'Thing', fields: {}, ...spec });
  return assembleRegistry([{ module: 'x', definitions: [definition] }]).model('x.thing');
}

function names(model: Model, type: ViewKind, tag = 'field'): readonly (string | undefined)[] {
  const root = generateView(model, type);
  const nodes = root ? [...walkNodes(root)] : [];
  return nodes.filter((node) => node.tag === tag).map((node) => node.attributes.name);
}

describe('generated views', () => {
  it('VIEW-9 every one of them passes the check', () => {
    for (const model of exampleRegistry.models.values()) {
      for (const type of viewKinds) {
        const node = generateView(model, type);
        if (node) checkView(node, exampleContext);
      }
    }
  });

  it('VIEW-9 a list, a form and a search are there for every model, even one without fields', () => {
    const empty = modelOf({});
    expect(generatedTypes(empty)).toEqual(['list', 'form']);
    expect(names(empty, 'list')).toEqual(['display_name']);
    expect(generateView(empty, 'search')?.children).toEqual([]);
  });

  it('VIEW-9 other types are offered where fields fit', () => {
    expect(generatedTypes(order)).toEqual(['list', 'form', 'kanban', 'graph', 'pivot', 'calendar', 'gantt', 'cohort']);
    expect(generatedTypes(exampleRegistry.model('core.partner'))).toEqual(['list', 'form', 'map']);
    expect(generatedTypes(modelOf({ fields: { on: fields.date({}) } }))).toEqual(['list', 'form', 'graph', 'calendar']);
    expect(generatedTypes(modelOf({ fields: { date_end: fields.date({}) } }))).toEqual([
      'list',
      'form',
      'graph',
      'calendar',
    ]);
  });

  it('VIEW-9 a list begins with the name and has the main fields, others can be switched on', () => {
    const list = generateView(order, 'list');
    expect(list?.attributes.handle).toBe('sequence');
    const shown = list?.children.filter((child) => child.attributes.optional === undefined);
    expect(shown?.map((child) => child.attributes.name)).toEqual([
      ...['name', 'state', 'stage_id', 'partner_id', 'user_id', 'tag_ids', 'payment_days', 'date_order'],
    ]);
    expect(names(order, 'list')).toContain('amount_total');
    expect(names(order, 'list')).not.toContain('notes');
  });

  it('VIEW-9 a form has every field but those of the system', () => {
    const all = [...order.fields.keys()].filter(
      (name) => !/^(id|display_name|(create|write)_.*|active|secret)$/.test(name),
    );
    expect([...names(order, 'form')].sort()).toEqual(all.sort());
    expect(names(order, 'form', 'page')).toEqual(['line_ids', 'notes']);
    const form = generateView(order, 'form');
    expect(form?.children.map((child) => child.tag)).toEqual(['header', 'avatar', 'title', 'group', 'notebook']);
  });

  it('VIEW-9 a search looks for texts and related records, and has mine, archived and groups', () => {
    expect(names(order, 'search')).toEqual(['name', 'stage_id', 'partner_id', 'user_id']);
    expect(names(order, 'search', 'filter')).toEqual([
      ...['mine', 'archived', 'by_stage_id', 'by_date_start', 'by_state', 'by_partner_id', 'by_user_id', 'by_priority'],
    ]);
    const state = modelOf({ fields: { name: fields.char({}), state: fields.selection({ new: 'New', done: 'Done' }) } });
    expect(names(state, 'search', 'filter')).toEqual(['is_new', 'is_done', 'by_state']);
    expect(names(state, 'search', 'separator')).toHaveLength(1);
  });

  it('VIEW-9 a kanban has the columns of a stage or a state', () => {
    expect(generateView(order, 'kanban')?.attributes).toMatchObject({
      'group-by': 'stage_id',
      sums: 'amount_total',
      handle: 'sequence',
    });
    expect(generateView(modelOf({ fields: { name: fields.char({}) } }), 'kanban')).toBeNull();
  });
});
