import { type Queryable, sql } from '@kontor/database';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { Person } from '../sign-in.ts';

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Loaded with the first use of a passkey: it is the largest of our libraries. */
const webauthn = () => import('@simplewebauthn/server');

/** The stored part of a passkey: its public key and its use counter. */
interface Material {
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** The origin of the browser, such as `https://kontor.example.com`; a passkey works only on its host. */
export type Site = URL;

interface PasskeyRow extends Record<string, unknown> {
  readonly id: number;
  readonly user_id: number;
  readonly credential_id: string;
  readonly material: string;
}

function passkeysOf(db: Queryable, uid: number): Promise<readonly PasskeyRow[]> {
  return db.query<PasskeyRow>(sql`
    select id, user_id, credential_id, material from core_user_factor
    where user_id = ${uid} and kind = 'passkey' order by id`);
}

const toDescriptor = ({ credential_id: id, material }: PasskeyRow) => {
  const { transports } = JSON.parse(material) as Material;
  return { id, transports: [...transports] };
};

/** The request to the browser for a new passkey; its challenge is valid for one answer. */
export async function newPasskeyOptions(
  db: Queryable,
  { uid, login }: Person,
  site: Site,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { generateRegistrationOptions } = await webauthn();
  return generateRegistrationOptions({
    rpName: 'Kontor',
    rpID: site.hostname,
    userName: login,
    userID: new TextEncoder().encode(`kontor ${uid}`),
    attestationType: 'none',
    excludeCredentials: (await passkeysOf(db, uid)).map(toDescriptor),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  });
}

export interface NewPasskey {
  readonly credentialId: string;
  readonly material: string;
}

/** Null: not a valid answer to the challenge. */
export async function readNewPasskey(response: unknown, challenge: string, site: Site): Promise<NewPasskey | null> {
  if (!isRecord(response)) return null;
  const { verifyRegistrationResponse } = await webauthn();
  const verdict = await verifyRegistrationResponse({
    response: response as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.hostname,
    requireUserVerification: false,
  }).catch(() => null);
  if (!verdict?.verified) return null;
  const { id, publicKey, counter, transports = [] } = verdict.registrationInfo.credential;
  const material: Material = { publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports };
  return { credentialId: id, material: JSON.stringify(material) };
}

/** For a user whose password was correct, or for any passkey of this site. */
export async function passkeyOptions(
  db: Queryable,
  uid: number | null,
  site: Site,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { generateAuthenticationOptions } = await webauthn();
  return generateAuthenticationOptions({
    rpID: site.hostname,
    userVerification: uid === null ? 'required' : 'discouraged',
    ...(uid === null ? {} : { allowCredentials: (await passkeysOf(db, uid)).map(toDescriptor) }),
  });
}

export interface PasskeyProof {
  readonly response: unknown;
  readonly challenge: string;
  readonly site: Site;
  /** The owner it must have, after their password; null: it replaces the password too, so user verification is required. */
  readonly uid: number | null;
}

/** The user of the passkey, whose counter is updated; null: the proof is invalid. */
export async function usePasskey(
  db: Queryable,
  { response, challenge, site, uid }: PasskeyProof,
): Promise<number | null> {
  if (!isRecord(response) || typeof response.id !== 'string') return null;
  const [row] = await db.query<PasskeyRow>(sql`
    select f.id, f.user_id, f.credential_id, f.material from core_user_factor f join core_user u on u.id = f.user_id
    where f.credential_id = ${response.id.slice(0, 1_400)} and f.kind = 'passkey' and u.active`);
  if (!row || (uid !== null && row.user_id !== uid)) return null;
  const { verifyAuthenticationResponse } = await webauthn();
  const known = JSON.parse(row.material) as Material;
  const verdict = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.hostname,
    requireUserVerification: uid === null,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
      counter: known.counter,
      transports: [...known.transports],
    },
  }).catch(() => null);
  if (!verdict?.verified) return null;
  const material = JSON.stringify({ ...known, counter: verdict.authenticationInfo.newCounter });
  // If two have the same counter, one is a copy.
  const kept = await db.query(sql`
    update core_user_factor set material = ${material}, last_used_at = now()
    where id = ${row.id} and material = ${row.material} returning id`);
  return kept.length > 0 ? row.user_id : null;
}
