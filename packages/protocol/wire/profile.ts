import type { WireRecord } from './rpc.ts';

/** Data of the profile page. */
export interface ProfileScreenData {
  readonly user: WireRecord & {
    readonly name: string;
    readonly login: string;
    readonly email: string | null;
    readonly lang: string;
    readonly tz: string;
    readonly image: string | null;
    readonly signature: string | null;
  };
  readonly theme: string;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  readonly timeZones: readonly string[];
  readonly apiKeys: readonly OwnKey[];
  readonly sessions: readonly OwnSession[];
  readonly factors: readonly OwnFactor[];
  /** Whether the user has a password: not if they sign in only at a provider. */
  readonly hasPassword: boolean;
  /** How many recovery codes are left. */
  readonly recoveryCodes: number;
  /** The notifications of addons, and how this user wants to receive them. */
  readonly notices: readonly OwnNotice[];
  /** What the user hears of records that they follow, and when by mail; as stored. */
  readonly following: unknown;
  readonly quiet: unknown;
}
/** How a user is notified: in the client, by mail, both, or not at all. */
export type NoticeWay = 'client' | 'mail' | 'both' | 'none';
export interface OwnNotice {
  readonly name: string;
  readonly label: string;
  readonly way: NoticeWay;
}
export type OwnFactor = WireRecord & {
  readonly kind: 'totp' | 'passkey';
  readonly name: string;
  readonly create_date: string;
  readonly last_used_at: string | null;
};
export type OwnKey = WireRecord & {
  readonly name: string;
  readonly prefix: string;
  readonly expires_at: string | null;
  readonly scope: unknown;
  /** The agent that uses it. */
  readonly agent: string | null;
  readonly rate: number | null;
  readonly last_used_at: string | null;
  readonly old_prefix: string | null;
  readonly old_expires_at: string | null;
  readonly old_last_used_at: string | null;
  readonly active: boolean;
  readonly create_date: string;
};
export type OwnSession = WireRecord & {
  readonly started_at: string;
  readonly last_seen_at: string;
  readonly address: string | null;
  readonly device: string;
  readonly isCurrent: boolean;
};
