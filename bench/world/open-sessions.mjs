import { createHash, randomBytes } from 'node:crypto';

/** Tokens of new sessions of the ordinary user. */
export async function openSessions({ client, people }, count) {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('hex'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest('hex'));
  await client.query(
    `insert into sys_session (user_id, token_hash, company_id, started_at, last_seen_at, create_date)
     select $1, hash, $2, now(), now(), now() from unnest($3::text[]) as hash`,
    [people.userId, people.companyId, hashes],
  );
  return tokens;
}
