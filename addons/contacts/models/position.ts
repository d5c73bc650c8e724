import { editable, fields, findCity, isCitySpot } from '@kontor/addon';

/** Where a record is on a map: found by its address, until somebody places it. */
export const positionFields = {
  latitude: fields.float({ min: -90, max: 90, help: 'Degrees north.', ...editable }),
  longitude: fields.float({ min: -180, max: 180, help: 'Degrees east.', ...editable }),
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

/** By the city of an address; undefined leaves what was placed by hand. */
export function addressPosition({ placed_by_hand: isPlaced, city, country_id: country }: Address): Partial<Position> {
  return isPlaced ? {} : (findCity(city, country?.code ?? null) ?? nowhere);
}

type Values = { readonly [name: string]: unknown };

/**
 * A position that a caller gives is by hand. A form sends back what was worked out from the address, or taken from the related
 * record, that it changes in the same call: that is not.
 */
export function notePlacing<V extends object>(given: V, follows: string | null = null): V {
  const values = given as Values;
  const { latitude, longitude } = values;
  if (latitude === undefined || longitude === undefined || values.placed_by_hand !== undefined) return given;
  const isGiven = (name: string) => values[name] !== undefined;
  const isFound = (isGiven('city') || isGiven('country_id')) && isCitySpot(latitude, longitude);
  const isTaken = follows !== null && isGiven(follows);
  return { ...given, placed_by_hand: latitude !== null && !isFound && !isTaken };
}

export const wholePosition = {
  on: ['latitude', 'longitude'],
  holds: (record: Position) => (record.latitude === null) === (record.longitude === null),
  message: 'Give both latitude and longitude, or neither.',
} as const;
