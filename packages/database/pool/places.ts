import { KontorError, text } from '@kontor/protocol';
import type { ClientBase, ClientConfig } from 'pg';

/** One server of an address that names several. */
export type Place = Readonly<Pick<ClientConfig, 'host' | 'port'>>;

/** What a server must be to be used: `read-write` is the primary, `standby` a replica. */
export const wantedKinds = ['any', 'read-write', 'primary', 'standby'] as const;
export type WantedKind = (typeof wantedKinds)[number];

/** The servers of an address, of which one is used at a time. All connections of the address share what is known. */
export interface Places {
  readonly count: number;
  now(): Place;
  /** The server is unreachable or the wrong one: the next is tried, unless another connection has moved on already. */
  leave(place: Place): void;
  /** Fails with UNAVAILABLE if the server is not of the wanted kind. */
  check(client: ClientBase): Promise<void>;
}

const readOnly = text('The database is read-only right now. Try again later.');
const noStandby = text('The database cannot be reached. Try again in a moment.');

export function createPlaces(places: readonly Place[], wanted: WantedKind): Places {
  let at = 0;
  return {
    count: places.length,
    now: () => places[at] as Place,
    leave(place) {
      if (places[at] === place) at = (at + 1) % places.length;
    },
    async check(client) {
      if (wanted === 'any') return;
      const { rows } = await client.query<{ is_standby: boolean; is_read_only: boolean }>(
        `select pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::bool as is_read_only`,
      );
      const { is_standby: isStandby = false, is_read_only: isReadOnly = false } = rows[0] ?? {};
      if (wanted === 'standby' && !isStandby) throw new KontorError('UNAVAILABLE', noStandby);
      if (wanted !== 'standby' && (isStandby || (isReadOnly && wanted === 'read-write')))
        throw new KontorError('UNAVAILABLE', readOnly);
    },
  };
}

/** Connects to the server known to be the right one, otherwise to each of the others in turn, once. */
export async function atRightPlace<T>(places: Places | undefined, open: (place: Place) => Promise<T>): Promise<T> {
  for (let left = places?.count ?? 1; ; left--) {
    const place = places?.now() ?? {};
    try {
      return await open(place);
    } catch (error) {
      places?.leave(place);
      if (left <= 1) throw error;
    }
  }
}
