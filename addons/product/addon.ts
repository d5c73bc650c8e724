import { defineAddon } from '@kontor/addon';
import { productCategory } from './models/category.ts';
import { productPricelist } from './models/pricelist.ts';
import { productPricelistItem } from './models/pricelist-item.ts';
import { productProduct } from './models/product.ts';
import { productUom } from './models/uom.ts';
import { productUomCategory } from './models/uom-category.ts';

/** Versions of `sale` that are upgraded import it from here. */
export { withPrefix } from '@kontor/addon';
export type * from './models/pricelist.ts';
export type * from './models/product.ts';
export type * from './models/uom.ts';
export { conversionRate, type RatedCurrency, rateBetween } from './pricing/conversion-rate.ts';
export { convertPrice, convertQuantity } from './pricing/convert-quantity.ts';
export { pricelistPaths, priceOf, productPricePaths } from './pricing/price-of.ts';

export default defineAddon({
  models: [productUomCategory, productUom, productCategory, productProduct, productPricelist, productPricelistItem],
});
