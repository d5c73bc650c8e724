import { viewTypes } from '@kontor/protocol';
import { describe, expect, it } from 'vitest';
import { checkView } from '../index.ts';
import { archOf, exampleContext, view } from './example-world.ts';

const search = `<search id="s" model="sale.order">
  <field name="name"/>
  <field name="partner_id" operator="child_of" label="Customer or company"/>
  <filter name="mine" label="Mine" domain='[["user_id", "=", "$uid"]]' default="true"/>
  <separator/>
  <filter name="draft" label="Quotations" domain='[["state", "=", "draft"]]'/>
  <filter name="sold" label="Sold" domain='[["state", "=", "sale"]]'/>
  <separator/>
  <filter name="by_month" label="Month" group-by="date_order:month"/>
</search>`;

const views = {
  list: `<list id="l" model="sale.order" editable="top" handle="sequence" create="false" order="-date_order, name" limit="40"
    group-by="state, date_order:month" decoration-muted='[["state", "=", "cancel"]]' decoration-danger='[["partner_id.is_company", "=", true]]'>
    <header><button name="action_confirm" label="Confirm" icon="check"/></header>
    <field name="name" width="120" readonly="true"/>
    <field name="partner_id" widget="many2one_avatar" optional="show" domain='[["is_company", "=", true]]'/>
    <field name="tag_ids" widget="tags"/>
    <field name="state" widget="badge" invisible='[["active", "=", false]]'/>
    <field name="amount_total" sum="Total" avg="Average"/>
    <field name="payment_days" invisible="true"/>
    <button name="action_confirm" label="Confirm" invisible='[["state", "!=", "draft"]]'/>
  </list>`,
  form: `<form id="f" model="sale.order" delete="false">
    <header>
      <button name="action_confirm" label="Confirm" primary="true" confirm="Sure?" context='{"a": 1}' invisible='[["state", "!=", "draft"]]'/>
      <field name="state" widget="statusbar"/>
    </header>
    <avatar><field name="image"/></avatar>
    <title><field name="name" placeholder="Number"/></title>
    <subtitle><field name="partner_id"/></subtitle>
    <stats><button name="orders" type="action" label="Lines" field="line_count" icon="list"/></stats>
    <group columns="2">
      <group label="Customer" invisible='[["state", "=", "cancel"]]'>
        <field name="payment_days" required='[["state", "=", "sale"]]' readonly='[["active", "=", false]]' help="Days." colspan="2"/>
      </group>
      <group label="Dates"><field name="date_order" label="Date"/><separator label="More"/><text>Words.</text></group>
    </group>
    <notebook>
      <page label="Order lines">
        <field name="line_ids" nolabel="true">
          <list editable="bottom" handle="sequence"><field name="product"/><field name="qty"/><field name="subtotal" sum="Total"/></list>
          <form><group><field name="product"/><field name="price"/></group></form>
        </field>
      </page>
      <page name="more" label="More" invisible='[["state", "=", "draft"]]'><field name="tag_ids" widget="tags"/><field name="notes"/></page>
    </notebook>
    <button name="action_confirm" label="Once more" danger="true"/>
  </form>`,
  kanban: `<kanban id="k" model="sale.order" group-by="stage_id" sums="amount_total" handle="sequence" order="priority" limit="20">
    <card color="color" image="image" decoration-warning='[["priority", "=", "1"]]'>
      <title><field name="name"/></title>
      <field name="partner_id"/><field name="tag_ids" widget="tags"/>
      <footer><field name="priority" widget="priority"/><field name="user_id" widget="many2one_avatar"/></footer>
    </card>
  </kanban>`,
  graph: `<graph id="g" model="sale.order" kind="line" stacked="false">
    <group-by name="date_order" interval="week"/><group-by name="state"/><group-by name="date_end"/>
    <measure name="amount_total"/><measure name="payment_days" measure="avg" label="Days"/>
  </graph>`,
  pivot: `<pivot id="p" model="sale.order">
    <row name="partner_id"/><row name="state"/><column name="date_order" interval="quarter"/><measure name="amount_total"/>
  </pivot>`,
  calendar: `<calendar id="c" model="sale.order" start="date_start" stop="date_end" all-day="all_day" color="user_id" mode="week" title="name" quick-create="false">
    <field name="partner_id"/>
  </calendar>`,
  gantt: `<gantt id="t" model="sale.order" start="date_start" stop="date_end" group-by="user_id, partner_id.is_company" scale="year"
    progress="progress" color="state" dependencies="depends_on_ids"/>`,
  map: `<map id="m" model="sale.order" latitude="partner_id.latitude" longitude="partner_id.longitude" color="state">
    <field name="amount_total"/>
  </map>`,
  cohort: `<cohort id="h" model="sale.order" start="date_order" stop="date_end" interval="week"><measure name="amount_total"/></cohort>`,
} as const;

describe('the arch of each view type', () => {
  it.each(viewTypes)('VIEW-6 %s', async (type) => {
    const searchNode = view(search);
    checkView(searchNode, exampleContext);
    checkView(view(views[type]), exampleContext);
    const output = archOf(views[type], { search: searchNode });
    await expect(`${JSON.stringify(output, null, 2)}\n`).toMatchFileSnapshot(`golden/${type}.golden`);
  });
});
