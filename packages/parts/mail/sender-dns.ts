import { Resolver } from 'node:dns/promises';
import { type Text, text } from '@kontor/protocol';

/** What is asked of DNS; tests replace it by given answers. */
export interface TxtResolver {
  resolveTxt(name: string): Promise<readonly (readonly string[])[]>;
}

/** Opens what answers; tests put a resolver with given answers in its place. */
export const senderDns: { open(): TxtResolver } = {
  open: () => new Resolver({ timeout: 3_000, tries: 2 }),
};

/** `unknown`: DNS did not answer. */
export type RecordState = 'ok' | 'weak' | 'missing' | 'wrong' | 'unknown';

export interface RecordFinding {
  readonly state: RecordState;
  /** In plain words. */
  readonly told: Text;
  /** The name and value to add, or to put in place; empty if nothing is to do. */
  readonly name: string;
  readonly value: string;
}

export interface CheckedSender {
  readonly domain: string;
  readonly selector: string;
  /** Base64, as in `p=`; null if there is no key yet. */
  readonly publicKey: string | null;
  /** The mail server that sends. */
  readonly host: string;
}

const longestMs = 10_000;
const longestRecord = 4_000;
const mostLookups = 10;

/** Compares the DNS records of a sender domain with what its e-mails need. Never throws for what DNS answers, and ends within ten seconds. */
export async function checkSender(
  resolver: TxtResolver,
  sender: CheckedSender,
): Promise<{ readonly spf: RecordFinding; readonly dkim: RecordFinding; readonly dmarc: RecordFinding }> {
  const { domain, selector } = sender;
  const lookup = (name: string) => textsAt(resolver, name);
  const [own, key, policies] = await Promise.all([
    lookup(domain),
    lookup(`${selector}._domainkey.${domain}`),
    Promise.all(withParents(domain).map((name) => lookup(`_dmarc.${name}`))),
  ]);
  return { spf: readSpf(own, sender), dkim: readDkim(key, sender), dmarc: readDmarc(policies, sender) };
}

/** Null: no answer. Not there is an empty list. */
async function textsAt(resolver: TxtResolver, name: string): Promise<readonly string[] | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), longestMs);
  });
  const asked = resolver.resolveTxt(name).then(
    (found) => found.slice(0, 100).map((parts) => parts.join('').slice(0, longestRecord)),
    (error: { readonly code?: string }) => (error.code === 'ENOTFOUND' || error.code === 'ENODATA' ? [] : null),
  );
  const answer = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answer;
}

/** A domain without a policy has that of the domain above it. */
function withParents(domain: string): readonly string[] {
  const labels = domain.split('.');
  return labels
    .slice(0, Math.max(1, labels.length - 1))
    .map((_label, at) => labels.slice(at).join('.'))
    .slice(0, 5);
}

const silent = (name: string): RecordFinding => ({
  ...{ state: 'unknown', name, value: '' },
  told: text('DNS did not answer. Check again later.'),
});

function readSpf(found: readonly string[] | null, { domain, host }: CheckedSender): RecordFinding {
  if (found === null) return silent(domain);
  const records = found.filter((one) => /^v=spf1(?:\s|$)/i.test(one));
  const [record = ''] = records;
  const source = /[a-z]/i.test(host) && host.includes('.') ? `a:${host}` : 'mx';
  const proposed = `v=spf1 ${source} ~all`;
  if (records.length === 0)
    return {
      ...{ state: 'missing', name: domain, value: proposed },
      told: text(
        'No SPF record says which servers may send for {domain}. Add one; with a provider, use the one that it names.',
        { domain },
      ),
    };
  if (records.length > 1)
    return {
      ...{ state: 'wrong', name: domain, value: '' },
      told: text('There are {count} SPF records, so that none of them counts. Join them into one.', {
        count: records.length,
      }),
    };
  const terms = record.toLowerCase().split(/\s+/).slice(1);
  const lookups = terms.filter((term) =>
    /^[+?~-]?(?:include:|a(?:[:/]|$)|mx(?:[:/]|$)|ptr|exists:)|^redirect=/.test(term),
  );
  if (lookups.length > mostLookups)
    return {
      ...{ state: 'wrong', name: domain, value: '' },
      told: text('The SPF record asks for {count} other names. Receivers stop after {max} and reject it.', {
        count: lookups.length,
        max: mostLookups,
      }),
    };
  if (terms.some((term) => /^\+?all$/.test(term)))
    return {
      ...{ state: 'wrong', name: domain, value: record.replace(/\s\+?all\b/i, ' ~all') },
      told: text('The SPF record lets every server in the world send for {domain}.', { domain }),
    };
  if (!terms.some((term) => /^[~-]all$/.test(term) || term.startsWith('redirect=')))
    return {
      ...{ state: 'weak', name: domain, value: `${record.replace(/\s\?all\b/i, '')} ~all` },
      told: text('The SPF record does not say that other servers may not send for {domain}.', { domain }),
    };
  return {
    ...{ state: 'ok', name: domain, value: '' },
    told: text('There is an SPF record. Make sure that it allows your mail server {host}.', { host }),
  };
}

function readDkim(found: readonly string[] | null, { domain, selector, publicKey }: CheckedSender): RecordFinding {
  const name = `${selector}._domainkey.${domain}`;
  if (publicKey === null)
    return { ...{ state: 'missing', name, value: '' }, told: text('There is no key yet. Create one first.') };
  const value = dkimRecord(publicKey);
  if (found === null) return silent(name);
  const keys = found.filter((one) => /(?:^|;)\s*p=/i.test(one));
  const [key = ''] = keys;
  if (keys.length === 0)
    return {
      ...{ state: 'missing', name, value },
      told: text('E-mails cannot be verified: their key is not published. Add this record.'),
    };
  const published = /(?:^|;)\s*p=([^;]*)/i.exec(key)?.[1]?.replaceAll(/\s/g, '') ?? '';
  if (keys.length > 1 || published !== publicKey)
    return {
      ...{ state: 'wrong', name, value },
      told: text('Another key is published, so that receivers reject the signature. Put this record in its place.'),
    };
  return { ...{ state: 'ok', name, value: '' }, told: text('The key is published, and e-mails are signed with it.') };
}

function readDmarc(found: readonly (readonly string[] | null)[], { domain }: CheckedSender): RecordFinding {
  const name = `_dmarc.${domain}`;
  const value = `v=DMARC1; p=none; rua=mailto:postmaster@${domain}`;
  if (found[0] === null) return silent(name);
  const records = found.map((one) => (one ?? []).filter((each) => /^v=DMARC1\s*(?:;|$)/i.test(each)));
  const at = records.findIndex((each) => each.length > 0);
  const [record = '', ...others] = records[at] ?? [];
  if (at < 0)
    return {
      ...{ state: 'missing', name, value },
      told: text(
        'No DMARC record says what receivers should do with forged e-mails. Large providers ask for one. Add this record.',
      ),
    };
  const policy = /;\s*p=\s*(none|quarantine|reject)\b/i.exec(record)?.[1]?.toLowerCase();
  if (others.length > 0 || policy === undefined)
    return {
      ...{ state: 'wrong', name, value },
      told: text('The DMARC record cannot be read. Put this record in its place.'),
    };
  if (policy === 'none')
    return {
      ...{ state: 'weak', name, value: record.replace(/(;\s*p=\s*)none/i, '$1quarantine') },
      told: text(
        'Forged e-mails are only counted. When SPF and DKIM have been in order for some weeks, use this record.',
      ),
    };
  return { ...{ state: 'ok', name, value: '' }, told: text('Receivers put forged e-mails aside or reject them.') };
}

export function dkimRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}
