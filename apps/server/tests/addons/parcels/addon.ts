import { defineAddon } from '@kontor/addon';
import { parcelNotice } from './models/notice.ts';
import { parcelParcel } from './models/parcel.ts';
import { parcelPlace } from './models/place.ts';

export default defineAddon({ models: [parcelPlace, parcelParcel, parcelNotice] });
