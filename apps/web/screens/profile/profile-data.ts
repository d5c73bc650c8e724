export interface OwnKey {
  readonly id: number;
  readonly name: string;
  readonly prefix: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly active: boolean;
}

export interface OwnSession {
  readonly id: number;
  readonly started_at: string;
  readonly last_seen_at: string;
  readonly address: string | null;
  readonly device: string;
  readonly isCurrent: boolean;
}

export interface ProfileData {
  readonly user: {
    readonly id: number;
    readonly name: string;
    readonly login: string;
    readonly email: string | null;
    readonly lang: string;
    readonly tz: string;
  };
  readonly theme: string;
  readonly languages: readonly { readonly code: string; readonly name: string }[];
  readonly timeZones: readonly string[];
  readonly apiKeys: readonly OwnKey[];
  readonly sessions: readonly OwnSession[];
}
