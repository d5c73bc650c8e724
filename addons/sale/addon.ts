import { defineAddon } from '@kontor/addon';
import { giveCountryTaxes, saleCompany } from './models/country-taxes.ts';
import { saleOrder } from './models/order.ts';
import { saleOrderLine } from './models/order-line.ts';
import { saleOrderSent } from './models/order-sent.ts';
import { salePartner } from './models/partner.ts';
import { saleProduct } from './models/product.ts';
import { saleSettings } from './models/settings.ts';
import { saleStage } from './models/stage.ts';
import { saleTax } from './models/tax.ts';
import { saleTaxPosition, saleTaxPositionLine } from './models/tax-position.ts';
import { teamOrders } from './models/team.ts';
import { saleTemplate, saleTemplateLine } from './models/template.ts';
import { letterTexts } from './orders/letter-texts.ts';
import { quotationRoutes } from './quotation/quotation-routes.ts';
import { retaxLines } from './taxes/retax-lines.ts';

export { addressLines, addressPaths, placePaths } from './document/address-lines.ts';
export { documentComputes, documentFields } from './document/document-fields.ts';
export * from './document/draw-document.ts';
export * from './document/letter.ts';
export { printedFile } from './document/printed-file.ts';
export { amountsIn, type TaxRounding, type TaxSum, taxedPaths, taxSums } from './lines/line-amounts.ts';
export {
  datedTaxPaths,
  ownTaxPaths,
  productTaxPaths,
  taxesOf,
  usualTaxes,
  validTax,
} from './lines/line-from-product.ts';
export { pricedLine, pricedLineFields, productWords } from './lines/priced-line.ts';
export type * from './models/order.ts';
export type * from './models/order-line.ts';
export type * from './models/order-sent.ts';
export type * from './models/partner.ts';
export type * from './models/product.ts';
export type * from './models/settings.ts';
export type * from './models/tax.ts';
export type * from './models/tax-position.ts';
export type * from './models/template.ts';
export { commonValues, letterPlaceholders } from './orders/letter-texts.ts';

export { type Mapping, mappingPaths } from './taxes/position-of.ts';
export { leftOut, priceBetween, priceWith, priceWithout } from './taxes/price-between.ts';
export { retaxLines } from './taxes/retax-lines.ts';
export { isTaxId } from './taxes/tax-id.ts';
export { taxTreatments, union } from './taxes/treatment.ts';

export default defineAddon({
  models: [
    ...[
      saleTax,
      saleTaxPosition,
      saleTaxPositionLine,
      saleStage,
      teamOrders,
      saleOrder,
      saleOrderLine,
      saleOrderSent,
      ...saleSettings,
      saleCompany,
    ],
    ...[saleTemplate, saleTemplateLine],
    ...[salePartner, saleProduct],
  ],
  texts: letterTexts,
  routes: quotationRoutes,
  observers: [
    retaxLines({ model: 'sale.order', lines: 'sale.order.line', days: ['date_order'], keeps: ['is_price_kept'] }),
  ],
  hooks: { afterInstall: ({ env }) => giveCountryTaxes(env) },
});
