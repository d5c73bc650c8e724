import { editable, fields, findCity } from '@kontor/addon';

/** The position of a record on a map: found by its address, or set by hand, which is stored with the position. */
export const positionFields = {
  latitude: fields.float({
    personal: true,
    min: -90,
    max: 90,
    help: 'Degrees north.',
    aggregate: 'average',
    ...editable,
  }),
  longitude: fields.float({
    personal: true,
    min: -180,
    max: 180,
    help: 'Degrees east.',
    aggregate: 'average',
    ...editable,
  }),
  placed_by_hand: fields.boolean({ help: 'The position stays when the address changes.' }),
};

export const positionPaths = ['placed_by_hand', 'city', 'country_id.code'] as const;

interface Address {
  readonly placed_by_hand: boolean | null;
  readonly city: string | null;
  readonly country_id: { readonly code: string | null } | null;
}
interface Position {
  readonly latitude: number | null;
  readonly longitude: number | null;
}
const nowhere: Position = { latitude: null, longitude: null };

/** By the city of an address; undefined keeps a position that was set by hand. */
export function addressPosition({ placed_by_hand: isPlaced, city, country_id: country }: Address): Partial<Position> {
  return isPlaced ? {} : (findCity(city, country?.code ?? null) ?? nowhere);
}

export const wholePosition = {
  on: ['latitude', 'longitude'],
  holds: (record: Position) => (record.latitude === null) === (record.longitude === null),
  message: 'Enter both latitude and longitude, or neither.',
} as const;
