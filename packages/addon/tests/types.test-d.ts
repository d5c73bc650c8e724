// Checked by `tsc`: models infer across addons, and these mistakes do not compile.
import {
  type Decimal,
  defineModel,
  type Env,
  fields,
  inheritModel,
  type Loaded,
  type ModelDefinition,
  type RecordOf,
} from '@kontor/addon';
import { basket, item } from './proof/shop.ts';
import { basketMargin } from './proof/shop-margin.ts';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const ok = <_T extends true>() => {};

export const definitions: readonly ModelDefinition[] = [basket, item, basketMargin];

// Models of the kernel, of the shipped addons and of others are known together.
ok<Equal<RecordOf<'core.user'>['name'], string>>();
ok<Equal<NonNullable<Loaded<'core.partner', 'country_id.code'>['country_id']>['code'], string>>();
ok<Equal<NonNullable<Loaded<'proof.basket', 'create_uid.name'>['create_uid']>['name'], string>>();
// Fields that an extension adds reach every record of the model.
ok<Equal<RecordOf<'proof.basket'>['margin'], Decimal>>();
ok<Equal<Loaded<'proof.item', 'basket_id.margin'>['basket_id']['margin'], Decimal>>();

export async function use(env: Env): Promise<void> {
  await env.model('proof.basket').write([1], { cost: 3 });
  await env.model('proof.item').search([['basket_id.margin', '>', 0]]);
  // @ts-expect-error a field that no addon adds
  await env.model('proof.basket').write([1], { costs: 3 });
  // @ts-expect-error a relation is written by id
  await env.model('proof.basket').write([1], { partner_id: 'Ada' });
  // @ts-expect-error a path that does not exist, in another addon's model
  await env.model('proof.item').search([['basket_id.partner_id.country_id.cod', '=', 'DE']]);
}

// @ts-expect-error a model that no addon declares
fields.many2one('proof.baskets');
// @ts-expect-error a model that no addon declares
defineModel('proof.baskets', { fields: {} });
inheritModel('proof.basket', {
  // @ts-expect-error a path that does not exist
  constraints: { c: { on: ['name'], reads: ['item_ids.cost'], holds: () => true, message: '' } },
});
