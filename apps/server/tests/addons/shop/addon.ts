import { defineAddon } from '@kontor/addon';
import { shopOrder } from './models/order.ts';
import { shopLine } from './models/order-line.ts';
import { shopParcel, shopParcelSlip } from './models/parcel.ts';
import { shopTag } from './models/tag.ts';

export default defineAddon({ models: [shopOrder, shopLine, shopTag, shopParcel, shopParcelSlip] });
